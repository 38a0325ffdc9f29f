def find_fault(word, expected, output, distance):
    """What is wrong with the output, or None. Equal letters must be `distance` places apart."""
    if expected == 'impossible' or output == 'impossible':
        return None if output == expected else f'{output!r} instead of {expected!r}'
    if sorted(output) != sorted(word):
        return 'other letters than in the input'
    for place, letter in enumerate(output):
        if letter in output[place + 1:place + distance]:
            return f'the letters {letter} at place {place + 1} are too near'
    return None
