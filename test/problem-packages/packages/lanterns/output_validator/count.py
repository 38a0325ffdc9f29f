def count_lanterns(length):
    return -(-length // (2 * {{reach}}))
