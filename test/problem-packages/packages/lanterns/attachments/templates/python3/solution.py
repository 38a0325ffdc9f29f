length = int(input())
print()
