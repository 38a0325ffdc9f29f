# Ends well, but without an answer.
n = int(input())
print('? 1', n, flush=True)
input()
