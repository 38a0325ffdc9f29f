import re
import sys

text = sys.stdin.read()
if not re.fullmatch(r'[1-9]\d*\n(0|-?[1-9]\d*)( (0|-?[1-9]\d*))*\n', text):
    sys.exit(1)
count, *parts = map(int, text.split())
if 'up' in sys.argv[1:] and min(parts) < 0:
    sys.exit(1)
sys.exit(42 if count == len(parts) <= 100 else 1)
