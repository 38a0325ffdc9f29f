# Always continues from the junction improved last: correct, but exponential at worst.
import sys


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
    waiting = [False] * (n + 1)
    stack = [1]
    while stack:
        junction = stack.pop()
        waiting[junction] = False
        for following, length in roads[junction]:
            reached = distance[junction] + length
            if reached < distance[following]:
                distance[following] = reached
                if not waiting[following]:
                    stack.append(following)
                waiting[following] = True
    print(-1 if distance[n] == unreached else distance[n])


main()
