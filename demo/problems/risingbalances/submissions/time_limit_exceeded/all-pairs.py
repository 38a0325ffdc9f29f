# Looks at all earlier days for each day: correct, but O(n^2).
import sys


def main():
    numbers = list(map(int, sys.stdin.buffer.read().split()))
    balances = numbers[1:numbers[0] + 1]
    longest = []
    for day, balance in enumerate(balances):
        best = 0
        for earlier in range(day):
            if balances[earlier] < balance and longest[earlier] > best:
                best = longest[earlier]
        longest.append(best + 1)
    print(max(longest))


main()
