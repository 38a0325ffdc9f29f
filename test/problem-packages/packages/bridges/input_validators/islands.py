import sys

text = sys.stdin.read()
sys.exit(42 if text in {f'{islands}\n' for islands in range(1, 501)} else 43)
