# Too many guesses for large numbers.
input()
guess = 1
print(guess, flush=True)
while input() == 'more':
    guess += 1
    print(guess, flush=True)
