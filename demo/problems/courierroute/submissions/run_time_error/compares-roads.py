# Keeps whole roads in the heap: at equal distances Python has to compare them, but dictionaries have no order.
import sys
from heapq import heappop, heappush


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n, m = numbers[0], numbers[1]
    roads = [[] for _ in range(n + 1)]
    for i in range(2, 2 + 3 * m, 3):
        a, b, length = numbers[i], numbers[i + 1], numbers[i + 2]
        roads[a].append({'to': b, 'length': length})
        roads[b].append({'to': a, 'length': length})
    distance = {}
    heap = [(0, {'to': 1, 'length': 0})]
    while heap:
        travelled, arrival = heappop(heap)
        if arrival['to'] in distance:
            continue
        distance[arrival['to']] = travelled
        for road in roads[arrival['to']]:
            if road['to'] not in distance:
                heappush(heap, (travelled + road['length'], road))
    print(distance.get(n, -1))


main()
