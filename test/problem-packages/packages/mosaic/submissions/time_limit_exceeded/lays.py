length = int(input())
while length > 20:
    print(end='')
for _ in range(length // 2 if length % 2 == 0 else 0):
    print(2)
