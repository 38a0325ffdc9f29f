import sys

from rules import find_fault

input_file, answer_file, feedback, flag, distance = sys.argv[1:]
assert flag == 'distance'
with open(input_file) as file:
    word = file.read().strip()
with open(answer_file) as file:
    expected = file.read().strip()
fault = find_fault(word, expected, sys.stdin.read().strip(), int(distance))
if fault is not None:
    with open(feedback + 'judgemessage.txt', 'w') as file:
        print(fault, file=file)
sys.exit(42 if fault is None else 43)
