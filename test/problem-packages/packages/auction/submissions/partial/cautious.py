most = int(input())
print(40 if most == 40 else 20)
