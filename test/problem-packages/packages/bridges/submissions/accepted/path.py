islands = int(input())
for island in range(1, islands):
    print(island, island + 1)
