# The judge ends first, with "wrong"; what the program does then does not count.
import sys

n = int(input())
print('? 0 0', flush=True)
sys.stdin.read()
raise ValueError('after the end of the talk')
