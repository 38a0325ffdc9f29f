# The largest square first, with signs, each number on its own line.
from math import isqrt


def split(n, count):
    if count == 1:
        return [isqrt(n)] if isqrt(n) ** 2 == n else None
    for root in range(isqrt(n), -1, -1):
        rest = split(n - root * root, count - 1)
        if rest is not None:
            return [root] + rest
    return None


print('\n\n'.join(str(-root) for root in split(int(input()), 4)))
