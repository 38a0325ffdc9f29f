for _ in range(int(input())):
    rise, run = map(int, input().split())
    print('%.4f' % (rise / run))
