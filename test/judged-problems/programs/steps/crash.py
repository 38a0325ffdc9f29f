print(int(input()) // 2, flush=True)
print(1 // 0)
