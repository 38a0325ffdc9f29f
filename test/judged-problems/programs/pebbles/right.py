heap = int(input())
while heap > 0:
    taken = heap % 4
    print(taken, flush=True)
    heap -= taken
    if heap > 0:
        heap -= int(input())
