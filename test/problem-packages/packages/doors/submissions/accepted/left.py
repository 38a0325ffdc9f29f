for door in range(1, int(input()) + 1):
    print(door, flush=True)
    if input() == 'open':
        break
