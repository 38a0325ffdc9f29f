# Starts from a sentinel of 0, but balances may be negative.
import sys
from bisect import bisect_left


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    ends = [0]
    for balance in numbers[1:numbers[0] + 1]:
        place = bisect_left(ends, balance)
        if place == len(ends):
            ends.append(balance)
        else:
            ends[place] = balance
    print(len(ends) - 1)


main()
