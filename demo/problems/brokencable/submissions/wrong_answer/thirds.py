# Tests the joint after the first third: at worst this takes 34 tests.
live, dead = 1, int(input())
while dead - live > 1:
    middle = live + (dead - live + 2) // 3
    print('?', middle, flush=True)
    if input() == 'live':
        live = middle
    else:
        dead = middle
print('!', live, flush=True)
