# Accepts exactly the inputs that the statement describes: exit code 42, otherwise 43.
import re
import sys

text = sys.stdin.buffer.read()
if not re.fullmatch(rb'[a-z]{1,100000}\n', text):
    print(f'not a line with a word of 1 to 100 000 lower-case letters: {text[:80]!r}')
    sys.exit(43)
sys.exit(42)
