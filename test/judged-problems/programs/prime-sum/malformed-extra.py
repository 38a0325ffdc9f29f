print('2 2 2')
