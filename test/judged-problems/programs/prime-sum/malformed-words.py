print('two and two')
