# @EXPECTED_RESULTS@: WRONG-ANSWER, RUN-ERROR
words = input().split()
if len(words) == 1:
    raise ValueError(words)
print(*words, sep='\n')
