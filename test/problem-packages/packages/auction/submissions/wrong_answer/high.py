print(10**30)
