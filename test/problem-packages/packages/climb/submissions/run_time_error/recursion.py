import sys


def climb(parts, height):
    if not parts:
        return height
    if parts[0] < 0:
        sys.exit('down')
    return max(height, climb(parts[1:], height + parts[0]))


input()
print(climb(list(map(int, input().split())), 0))
