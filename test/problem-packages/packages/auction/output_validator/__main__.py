import sys

from points import write_points

with open(sys.argv[1]) as file:
    most = min({{highest}}, int(file.read()))
with open(sys.argv[2]) as file:
    points = int(file.read())
words = sys.stdin.buffer.read().split()
if len(words) != 1 or not words[0].isdigit() or int(words[0]) > most:
    sys.exit(43)
write_points(sys.argv[3], min(points, int(words[0])))
sys.exit(42)
