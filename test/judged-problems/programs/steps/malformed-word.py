input()
print('middle', flush=True)
