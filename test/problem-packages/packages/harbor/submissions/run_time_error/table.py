arrival, hours = map(int, input().split())
print(list(range(100))[arrival + hours] % 24)
