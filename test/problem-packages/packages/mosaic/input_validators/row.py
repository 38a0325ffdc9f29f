import sys

sys.exit(42 if sys.stdin.read() in [f'{length}\n' for length in range(1, 51)] else 43)
