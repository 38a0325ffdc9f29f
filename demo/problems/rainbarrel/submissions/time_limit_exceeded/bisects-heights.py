# Bisects the height of each surface, and adds up the tubs below it each time: O(50 n q).
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    tubs = list(zip(numbers[1:2 * n + 1:2], numbers[2:2 * n + 2:2]))
    top = sum(rise for _, rise in tubs)
    for poured in numbers[2 * n + 2:]:
        low, high = 0.0, float(top)
        for _ in range(50):
            middle = (low + high) / 2
            left, volume = middle, 0.0
            for area, rise in tubs:
                volume += area * min(left, rise)
                left -= rise
                if left <= 0:
                    break
            if volume < poured:
                low = middle
            else:
                high = middle
        print(high)


main()
