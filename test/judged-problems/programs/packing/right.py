# Tries all sums.
import sys

limit, *numbers = map(int, sys.stdin.read().split())
ways = {0: []}
for number in numbers:
    for total, way in list(ways.items()):
        if total + number <= limit:
            ways.setdefault(total + number, way + [number])
print(*ways[max(ways)])
