from lamp import lit

print(-(-int(input()) // lit))
