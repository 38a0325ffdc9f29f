# Keeps the smallest last balance of the rising choices of each length: O(n log n).
import sys
from bisect import bisect_left


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    ends = []
    for balance in numbers[1:numbers[0] + 1]:
        place = bisect_left(ends, balance)
        if place == len(ends):
            ends.append(balance)
        else:
            ends[place] = balance
    print(len(ends))


main()
