for _ in range(int(input())):
    rise, run = map(int, input().split())
    print(rise / run)
print(0)
