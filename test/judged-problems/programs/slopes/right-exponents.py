# All numbers on one line, with exponents and with more white space than expected.
numbers = [int(word) for _ in range(int(input())) for word in input().split()]
print('\n \t', '   '.join('%+.9E' % (rise / run) for rise, run in zip(numbers[::2], numbers[1::2])), '\r\n\n')
