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
check(len(lines) == 1, f'{len(lines)} lines instead of 1')
[n] = read_integers(lines[0], 1)
check(2 <= n <= 1_000_000, f'n is {n}')
sys.exit(42)
