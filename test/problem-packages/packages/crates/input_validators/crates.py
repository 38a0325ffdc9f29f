import sys

text = sys.stdin.read()
sys.exit(42 if text.strip().isdigit() and int(text) <= 100 else 43)
