# @EXPECTED_RESULTS@: WRONG-ANSWER
print(*input().lower().split(), sep='\n')
