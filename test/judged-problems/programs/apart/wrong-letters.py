print('ababab')
