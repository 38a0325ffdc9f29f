a, b = map(int, input().split())
print('%.7g' % ((a + b) / 2))
