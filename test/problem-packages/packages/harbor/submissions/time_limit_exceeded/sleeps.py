import time

arrival, hours = map(int, input().split())
time.sleep(min(20, hours // 1000))
print((arrival + hours) % 24)
