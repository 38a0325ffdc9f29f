import sys

a, d = map(int, sys.stdin.read().split())
sys.exit(42 if 0 <= a < 24 and 0 <= d <= 10**18 else 43)
