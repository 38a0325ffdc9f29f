# The program chooses numbers whose sum is at most the limit. The nearer, the better: the answer file
# has the best sum. Flag "multiplier": writes score_multiplier.txt, the part of the best sum. Flag
# "score": writes score.txt, one point for each tenth of the best sum.
import sys

input_file, answer_file, feedback, flag = sys.argv[1:]
with open(input_file) as file:
    limit, *numbers = map(int, file.read().split())
with open(answer_file) as file:
    best = int(file.read())


def write(name, text):
    with open(feedback + name, 'w') as file:
        print(text, file=file)


try:
    chosen = [int(word) for word in sys.stdin.read().split()]
except ValueError:
    chosen = [limit + 1]
for number in chosen:
    if number not in numbers:
        write('judgemessage.txt', f'{number} is not left')
        sys.exit(43)
    numbers.remove(number)
if sum(chosen) > limit:
    write('judgemessage.txt', f'{sum(chosen)} is more than {limit}')
    sys.exit(43)
write('judgemessage.txt', f'{sum(chosen)} of {best}')
if flag == 'multiplier':
    write('score_multiplier.txt', sum(chosen) / best)
else:
    write('score.txt', sum(chosen) * 10 // best)
sys.exit(42)
