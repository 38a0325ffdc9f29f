print(''.join(sorted(input())))
