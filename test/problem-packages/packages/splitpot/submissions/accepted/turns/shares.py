def split(coins):
    return coins // 2, (coins + 1) // 2
