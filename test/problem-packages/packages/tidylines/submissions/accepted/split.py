print(*input().split(), sep='\n')
