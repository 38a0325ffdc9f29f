from shares import split

print(*split(int(input())))
