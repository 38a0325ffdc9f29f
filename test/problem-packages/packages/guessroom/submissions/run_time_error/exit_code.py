import sys

print(500, flush=True)
sys.exit(0 if input() == 'here' else 3)
