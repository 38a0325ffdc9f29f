# Has place for 5000 tubs only.
import sys
from bisect import bisect_right

MOST_TUBS = 5000


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    volume, height, base = [0] * (MOST_TUBS + 1), [0] * (MOST_TUBS + 1), [1] * (MOST_TUBS + 1)
    for tub in range(n):
        base[tub], rise = numbers[2 * tub + 1], numbers[2 * tub + 2]
        volume[tub + 1] = volume[tub] + base[tub] * rise
        height[tub + 1] = height[tub] + rise
    lines = []
    for poured in numbers[2 * n + 2:]:
        full = bisect_right(volume, poured, 0, n + 1) - 1
        lines.append('%.12e' % (height[full] + (poured - volume[full]) / base[full]))
    print('\n'.join(lines))


main()
