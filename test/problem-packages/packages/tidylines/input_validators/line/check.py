import sys

line = sys.stdin.readline()
legal = set('abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \n')
sys.exit(42 if line.endswith('\n') and line.split() and set(line) <= legal and not sys.stdin.read() else 43)
