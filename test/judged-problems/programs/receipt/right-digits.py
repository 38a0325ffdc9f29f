# The tolerance allows another number of digits.
import sys

for line in sys.stdin:
    name, count, cents = line.split()
    print(name, repr(int(count) * int(cents) / 100), sep='  ')
