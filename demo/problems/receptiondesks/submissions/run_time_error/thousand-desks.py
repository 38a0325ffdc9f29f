# Has 1000 desks ready: heappop() raises an error when more are needed.
import sys
from heapq import heappop, heappush


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    n = numbers[0]
    shifts = sorted((numbers[1 + 2 * i], numbers[2 + 2 * i], i) for i in range(n))
    free = list(range(1, 1001))
    busy = []
    desk = [0] * n
    for begin, end, shift in shifts:
        while busy and busy[0][0] <= begin:
            heappush(free, heappop(busy)[1])
        desk[shift] = heappop(free)
        heappush(busy, (end, desk[shift]))
    print(max(desk))
    print(*desk)


main()
