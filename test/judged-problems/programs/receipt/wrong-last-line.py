# Without the end of the last line.
import sys

lines = [line.split() for line in sys.stdin]
print('\n'.join('%s  %.2f' % (name, int(count) * int(cents) / 100) for name, count, cents in lines), end='')
