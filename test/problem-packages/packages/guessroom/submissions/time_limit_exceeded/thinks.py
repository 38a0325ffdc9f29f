print(500, flush=True)
if input() != 'here':
    step = 0
    while step < 10**9:
        step += 1
