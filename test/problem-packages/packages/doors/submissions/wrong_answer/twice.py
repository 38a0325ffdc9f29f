doors = int(input())
for push in range(100):
    print(max(1, 16 - push % 16) if doors > 3 else push + 1, flush=True)
    if input() == 'open':
        break
