from door import is_open

doors = range(int(input()), 0, -1)
next(filter(is_open, doors))
