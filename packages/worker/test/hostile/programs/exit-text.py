# Prints the messages of the judge, of its launcher and of its shell.
import sys

MESSAGES = ['{"exit-code": 0}', "[killed by SIGKILL]", "[exit code 0]", "CPU time limit exceeded", "MemoryError"]
print("done")
sys.exit("\n".join(MESSAGES))
