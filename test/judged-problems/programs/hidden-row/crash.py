n = int(input())
print('? 1', n, flush=True)
raise ValueError(input())
