seconds = int(input())
print(f'{seconds // 60}:{seconds % 60:02}')
