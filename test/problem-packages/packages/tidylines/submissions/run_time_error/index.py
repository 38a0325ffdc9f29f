words = input().split()
print(words[0], words[1], words[2], sep='\n')
