# Asks for each number; every word is on a line of its own.
n = int(input())
row = []
for place in range(1, n + 1):
    print('?\n', place, '\n', place, '\n', sep='', flush=True)
    row.append(input())
print('!', *row, sep='\n\n  ')
