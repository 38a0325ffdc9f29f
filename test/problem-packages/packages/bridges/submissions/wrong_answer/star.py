for island in range(2, int(input()) + 1):
    print(1, island)
