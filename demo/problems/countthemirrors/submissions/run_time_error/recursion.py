# Calls itself for each letter of a mirror: Python allows about 1000 calls inside each other.
import sys


def count_around(text, left, right):
    if left < 0 or right == len(text) or text[left] != text[right]:
        return 0
    return 1 + count_around(text, left - 1, right + 1)


text = sys.stdin.readline().strip()
middle = len(text) // 2
# The longest mirrors first.
places = [*range(middle, len(text)), *range(middle)]
print(sum(count_around(text, i, i) + count_around(text, i, i + 1) for i in places))
