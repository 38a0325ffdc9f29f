for room in range(500, 1001):
    print(room, flush=True)
    if input() == 'here':
        break
