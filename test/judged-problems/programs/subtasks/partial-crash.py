# Crashes when the input is empty.
import sys

numbers = list(map(int, sys.stdin.read().split()))
print(sum(numbers[1:], numbers[0]))
