arrival, hours = map(int, input().split())
print((arrival + hours) % 24)
