import sys

room = int(sys.argv[1])
for line in sys.stdin:
    guess = int(line)
    print('here' if guess == room else 'higher' if guess < room else 'lower', flush=True)
