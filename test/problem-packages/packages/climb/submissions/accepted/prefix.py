input()
height = highest = 0
for part in map(int, input().split()):
    height += part
    highest = max(highest, height)
print(highest)
