# Accepts exactly the inputs that the statement describes: exit code 42, otherwise 43.
import re
import sys

INTEGER = re.compile('0|-?[1-9][0-9]{0,17}')


def check(condition, fault):
    if not condition:
        print(fault)
        sys.exit(43)


def read_integers(line, count):
    words = line.removesuffix('\n').split(' ')
    is_valid = line.endswith('\n') and len(words) == count and all(map(INTEGER.fullmatch, words))
    check(is_valid, f'not {count} integers, separated by single spaces: {line[:80]!r}')
    return [int(word) for word in words]


lines = re.findall(r'[^\n]*\n|[^\n]+', sys.stdin.buffer.read().decode('latin-1'))
check(lines, 'no lines')
n, m = read_integers(lines[0], 2)
check(1 <= n <= 10_000, f'n is {n}')
check(0 <= m <= 30_000, f'm is {m}')
check(len(lines) == 1 + m, f'{len(lines) - 1} roads instead of {m}')
for road, line in enumerate(lines[1:], 1):
    a, b, w = read_integers(line, 3)
    check(1 <= a <= n and 1 <= b <= n and a != b, f'road {road} is between {a} and {b}')
    check(1 <= w <= 10**9, f'road {road} has the length {w}')
sys.exit(42)
