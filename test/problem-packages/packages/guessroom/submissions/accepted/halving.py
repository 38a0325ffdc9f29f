low, high = 1, 1000
while True:
    room = (low + high) // 2
    print(room, flush=True)
    answer = input()
    if answer == 'here':
        break
    if answer == 'higher':
        low = room + 1
    else:
        high = room - 1
