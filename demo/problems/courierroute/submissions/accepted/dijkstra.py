# Dijkstra's algorithm with a heap: O(m log m).
import sys
from heapq import heappop, heappush


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n, m = numbers[0], numbers[1]
    roads = [[] for _ in range(n + 1)]
    for i in range(2, 2 + 3 * m, 3):
        a, b, length = numbers[i], numbers[i + 1], numbers[i + 2]
        roads[a].append((b, length))
        roads[b].append((a, length))
    unreached = float('inf')
    distance = [unreached] * (n + 1)
    distance[1] = 0
    heap = [(0, 1)]
    while heap:
        travelled, junction = heappop(heap)
        if travelled > distance[junction]:
            continue
        for following, length in roads[junction]:
            reached = travelled + length
            if reached < distance[following]:
                distance[following] = reached
                heappush(heap, (reached, following))
    print(-1 if distance[n] == unreached else distance[n])


main()
