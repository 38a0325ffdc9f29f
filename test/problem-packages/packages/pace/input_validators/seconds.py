import sys

text = sys.stdin.read()
sys.exit(42 if text.endswith('\n') and 1 <= int(text) <= 3600 else 43)
