print(f'{0.15 + 0.45 * int(input()):.2f}')
