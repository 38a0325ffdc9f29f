# Ignores signs: fails every test case with negative numbers.
import sys

print(sum(abs(int(word)) for word in sys.stdin.read().split()))
