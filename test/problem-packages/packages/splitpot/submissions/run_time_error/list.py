coins = int(input())
if coins > 10**9:
    raise MemoryError
print(coins // 2, coins - coins // 2)
