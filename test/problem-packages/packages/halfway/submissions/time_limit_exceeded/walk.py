a, b = map(int, input().split())
step = 0
while step < 10**9:
    step += 1
print((a + b) / 2)
