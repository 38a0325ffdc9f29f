# Takes only the largest number that fits.
import sys

limit, *numbers = map(int, sys.stdin.read().split())
print(max(number for number in numbers if number <= limit))
