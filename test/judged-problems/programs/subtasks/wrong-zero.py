print('0')
