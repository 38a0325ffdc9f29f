while int(input() or 0):
    while True:
        pass
