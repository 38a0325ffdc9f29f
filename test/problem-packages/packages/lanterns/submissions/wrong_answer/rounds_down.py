print(max(1, int(input()) // 4))
