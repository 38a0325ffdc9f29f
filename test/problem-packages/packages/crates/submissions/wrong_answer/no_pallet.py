n = int(input())
print(0.6 if n == 1 else 0.45 * n)
