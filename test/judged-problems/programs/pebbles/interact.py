# A heap of pebbles: the program and the judge take one to three in turn, the program first. The
# program must take the last one. The input file holds the number of pebbles.
import sys

input_file, answer_file, feedback = sys.argv[1:4]


def finish(code, message):
    with open(feedback + 'judgemessage.txt', 'a') as file:
        print(message, file=file)
    sys.exit(code)


with open(input_file) as file:
    heap = int(file.read())
print(heap, flush=True)
while True:
    line = sys.stdin.readline().split()
    if len(line) != 1 or line[0] not in ('1', '2', '3') or int(line[0]) > heap:
        finish(43, f'{heap} pebbles, and the program takes {line}')
    heap -= int(line[0])
    if heap == 0:
        finish(42, 'the program wins')
    taken = heap % 4 or 1
    heap -= taken
    if heap == 0:
        finish(43, 'the judge wins')
    print(taken, flush=True)
