import sys

text = sys.stdin.read()
numbers = [f'{room}\n' for room in range(1, 1001)]
sys.exit(42 if text in numbers else 43)
