# Adds up the volumes from the floor, and finds the tub of each surface by bisection: O(q log n).
import sys
from bisect import bisect_right


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    base, rise = numbers[1:2 * n + 1:2], numbers[2:2 * n + 2:2]
    volume, height = [0], [0]
    for area, up in zip(base, rise):
        volume.append(volume[-1] + area * up)
        height.append(height[-1] + up)
    base.append(1)
    lines = []
    for poured in numbers[2 * n + 2:]:
        full = bisect_right(volume, poured) - 1
        lines.append('%.12e' % (height[full] + (poured - volume[full]) / base[full]))
    print('\n'.join(lines))


main()
