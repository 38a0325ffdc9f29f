# Bisects for the first dead joint among 2 to n - 1. If all of them are live, the index is too large.
joints = range(2, int(input()))
low, high = 0, len(joints)
while low < high:
    middle = (low + high) // 2
    print('?', joints[middle], flush=True)
    if input() == 'live':
        low = middle + 1
    else:
        high = middle
print('!', joints[low] - 1, flush=True)
