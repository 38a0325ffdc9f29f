n = int(input())
row = []
for place in range(1, n + 1):
    print('?', place, place, flush=True)
    row.append(input())
    print('?', 1, place, flush=True)
    input()
print('!', *row, flush=True)
