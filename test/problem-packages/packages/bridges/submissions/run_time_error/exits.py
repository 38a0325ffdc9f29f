islands = int(input())
assert islands < 500
for island in range(1, islands):
    print(island, island + 1)
