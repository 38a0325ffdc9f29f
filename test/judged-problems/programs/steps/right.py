low, high = 1, int(input())
reply = ''
while reply != 'found':
    middle = (low + high) // 2
    print('\n', middle, flush=True)
    reply = input()
    if reply == 'more':
        low = middle + 1
    if reply == 'less':
        high = middle - 1
