_, chosen = map(int, input().split())
print(sum(sorted(map(int, input().split()))[-chosen:]))
