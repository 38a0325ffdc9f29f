import sys


def reject(reason):
    with open(sys.argv[3] + 'judgemessage.txt', 'w') as file:
        print(reason, file=file)
    sys.exit(43)


length = int(open(sys.argv[1]).read())
tiles = sys.stdin.buffer.read().split()
if any(tile not in (b'2', b'5') for tile in tiles):
    reject('no such tile')
covered = sum(map(int, tiles))
if covered > length:
    reject('a tile sticks out')
with open(sys.argv[3] + 'score_multiplier.txt', 'w') as file:
    print(covered / length, file=file)
sys.exit(42)
