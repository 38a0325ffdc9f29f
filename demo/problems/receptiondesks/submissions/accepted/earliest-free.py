# Sorts the shifts by their begins, and keeps a heap of the desks by their next free minute: O(n log n).
import sys
from heapq import heappush, heapreplace


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    shifts = sorted((numbers[1 + 2 * i], numbers[2 + 2 * i], i) for i in range(n))
    desk = [0] * n
    heap = []
    for begin, end, shift in shifts:
        if heap and heap[0][0] <= begin:
            desk[shift] = heap[0][1]
            heapreplace(heap, (end, desk[shift]))
        else:
            desk[shift] = len(heap) + 1
            heappush(heap, (end, desk[shift]))
    print(len(heap))
    print('\n'.join(map(str, desk)))


main()
