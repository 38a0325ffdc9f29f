# Two cents too much: the tolerance is one cent.
import sys

for line in sys.stdin:
    name, count, cents = line.split()
    print(name, '%.2f' % ((int(count) * int(cents) + 2) / 100), sep='  ')
