n = int(input())
print('0.60' if n == 1 else f'{0.45 * n:.2f}')
