n = int(input())


def is_prime(number):
    return number > 1 and all(number % divisor for divisor in range(2, int(number ** 0.5) + 1))


print(*next((p, n - p) for p in range(n - 2, 1, -1) if is_prime(p) and is_prime(n - p)), sep='\n\n')
