length = int(input())
if length % 2:
    print(5)
    length -= 5
for _ in range(length // 2):
    print(2)
