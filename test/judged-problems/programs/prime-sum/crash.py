raise KeyError(input())
