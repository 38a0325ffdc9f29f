def is_open(door):
    print(door, flush=True)
    return input() == 'open'
