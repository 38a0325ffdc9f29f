# Wins a heap of one pebble only.
heap = int(input())
while heap > 0:
    print(1, flush=True)
    heap -= 1 + int(input() if heap > 1 else 0)
