# Manacher's algorithm, once for odd and once for even lengths: O(n).
import sys


def count_mirrors(text, gap):
    """Counts the mirrors centred on a letter (gap 0) or just before one (gap 1)."""
    n = len(text)
    reach = [0] * n
    left, right = 0, -1
    for centre in range(n):
        size = 1 - gap
        if centre <= right:
            size = min(reach[left + right - centre + gap], right - centre + 1)
        low, high = centre - size - gap, centre + size
        while high < n and low >= 0 and text[high] == text[low]:
            low -= 1
            high += 1
        reach[centre] = high - centre
        if high - 1 > right:
            left, right = low + 1, high - 1
    return sum(reach)


text = sys.stdin.readline().strip()
print(count_mirrors(text, 0) + count_mirrors(text, 1))
