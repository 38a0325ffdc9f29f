import sys

for line in sys.stdin:
    name, count, cents = line.split()
    print(name.lower(), '%.2f' % (int(count) * int(cents) / 100), sep='  ')
