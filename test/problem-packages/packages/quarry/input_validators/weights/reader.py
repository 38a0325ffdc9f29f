def check(order, text):
    lines = text.split('\n')
    if len(lines) != 3 or lines[2]:
        return 1
    count, chosen = map(int, lines[0].split(' '))
    weights = [int(weight) for weight in lines[1].split(' ')]
    if not 1 <= chosen <= count <= 1000 or len(weights) != count:
        return 1
    if order == 'sorted' and weights != sorted(weights, reverse=True):
        return 1
    return 42 if all(1 <= weight <= 10**9 for weight in weights) else 1
