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
check(1 <= n <= 10_000, f'n is {n}')
check(len(lines) > n + 1, f'only {len(lines)} lines')
volume = 0
for tub, line in enumerate(lines[1:n + 1], 1):
    a, h = read_integers(line, 2)
    check(1 <= a <= 1000 and 1 <= h <= 1000, f'tub {tub} has the base {a} and the height {h}')
    volume += a * h
[q] = read_integers(lines[n + 1], 1)
check(1 <= q <= 10_000, f'q is {q}')
check(len(lines) == n + 2 + q, f'{len(lines) - n - 2} questions instead of {q}')
for question, line in enumerate(lines[n + 2:], 1):
    [v] = read_integers(line, 1)
    check(0 <= v <= volume, f'question {question} is about {v} of {volume} litres')
sys.exit(42)
