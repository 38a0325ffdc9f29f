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
[n] = read_integers(lines[0], 1)
check(1 <= n <= 50_000, f'n is {n}')
check(len(lines) == 1 + n, f'{len(lines) - 1} shifts instead of {n}')
for shift, line in enumerate(lines[1:], 1):
    b, e = read_integers(line, 2)
    check(0 <= b < e <= 10**9, f'shift {shift} is from {b} to {e}')
sys.exit(42)
