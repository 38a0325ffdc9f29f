import sys


def reject(reason):
    with open(sys.argv[3] + 'judgemessage.txt', 'w') as file:
        print(reason, file=file)
    sys.exit(43)


def say(word):
    try:
        print(word, flush=True)
    except BrokenPipeError:
        reject('nobody listens')


flags = sys.argv[4:]
most = int(flags[flags.index('guesses') + 1])
with open(sys.argv[1]) as file:
    room = int(file.read())
for _ in range(most):
    line = sys.stdin.buffer.readline(100).strip()
    if not line.isdigit():
        reject(f'no number: {line!r}')
    guess = int(line)
    if guess == room:
        say('here')
        sys.exit(42)
    say('higher' if guess < room else 'lower')
reject('too many questions')
