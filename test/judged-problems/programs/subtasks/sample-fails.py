# Fails the test case without a group only.
import sys

numbers = list(map(int, sys.stdin.read().split()))
print('sample' if numbers == [1, 1] else sum(numbers))
