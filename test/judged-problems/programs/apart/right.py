# The most frequent letters go to the even places first, then to the odd ones.
from collections import Counter

word = input()
letters = ''.join(letter * count for letter, count in Counter(word).most_common())
places = list(range(0, len(word), 2)) + list(range(1, len(word), 2))
output = [''] * len(word)
for place, letter in zip(places, letters):
    output[place] = letter
text = ''.join(output)
print('impossible' if any(a == b for a, b in zip(text, text[1:])) else text)
