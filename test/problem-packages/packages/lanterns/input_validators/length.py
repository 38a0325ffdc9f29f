import sys

text = sys.stdin.read()
sys.exit(42 if text[-1:] == '\n' and text[:-1].isdigit() and 1 <= int(text) <= {{max_length}} else 43)
