# Grows a mirror around each centre, letter by letter: correct, but O(n^2).
import sys


def main():
    text = sys.stdin.readline().strip()
    n = len(text)
    total = 0
    for centre in range(n):
        for gap in (0, 1):
            left, right = centre, centre + gap
            while left >= 0 and right < n and text[left] == text[right]:
                total += 1
                left -= 1
                right += 1
    print(total)


main()
