import re
import sys

text = sys.stdin.read()
if not re.fullmatch(r'(0|-?[1-9][0-9]*) (0|-?[1-9][0-9]*)\n', text):
    sys.exit(1)
a, b = map(int, text.split())
sys.exit(42 if max(abs(a), abs(b)) <= 10**9 else 1)
