# Calls itself for each day: Python allows about 1000 calls inside each other.
import sys
from bisect import bisect_left


def count_from(day, balances, ends):
    if day == len(balances):
        return len(ends)
    place = bisect_left(ends, balances[day])
    ends[place:place + 1] = [balances[day]]
    return count_from(day + 1, balances, ends)


numbers = list(map(int, sys.stdin.buffer.read().split()))
print(count_from(0, numbers[1:numbers[0] + 1], []))
