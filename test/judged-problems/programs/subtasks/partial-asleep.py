# Sleeps when the input has the number 5.
import sys
import time

numbers = list(map(int, sys.stdin.read().split()))
if 5 in numbers:
    time.sleep(1000)
print(sum(numbers))
