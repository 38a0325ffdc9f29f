# Writes to stderr without end.
import sys

while True:
    sys.stderr.write("The same line again.\n" * 1000)
