print(-3, int(input()) + 3)
