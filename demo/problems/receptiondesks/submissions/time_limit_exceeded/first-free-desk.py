# Gives each shift, by its begin, the first desk without an overlap: it looks at all shifts, O(n^2).
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    shifts = sorted((numbers[1 + 2 * i], numbers[2 + 2 * i], i) for i in range(n))
    desk = [0] * n
    for place, (begin, _, shift) in enumerate(shifts):
        used = {desk[earlier] for _, end, earlier in shifts[:place] if end > begin}
        number = 1
        while number in used:
            number += 1
        desk[shift] = number
    print(max(desk))
    print(*desk)


main()
