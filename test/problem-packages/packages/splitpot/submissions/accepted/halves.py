coins = int(input())
print(coins - coins // 2, coins // 2)
