import sys

from count import count_lanterns

with open(sys.argv[1]) as file:
    length = int(file.read())
words = sys.stdin.buffer.read().split()
right = count_lanterns(length)
if len(words) == 1 and words[0].isdigit() and int(words[0]) == right:
    sys.exit(42)
with open(sys.argv[3] + 'judgemessage.txt', 'w') as file:
    print(f'{right} lanterns for {length} {{unit}}', file=file)
with open(sys.argv[3] + 'teammessage.txt', 'w') as file:
    print('Count again.', file=file)
sys.exit(43)
