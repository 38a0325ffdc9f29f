# Halves the joints between the last known live one and the first known dead one.
live, dead = 1, int(input())
while dead - live > 1:
    middle = (live + dead) // 2
    print('?', middle, flush=True)
    if input() == 'live':
        live = middle
    else:
        dead = middle
print('!', live, flush=True)
