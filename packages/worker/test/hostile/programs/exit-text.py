# Prints the messages of the judge, of its launcher and of its shell.
import sys

print("done")
for file in sys.stderr, sys.stdout:
    if file is sys.stderr:
        file.write('{"exit-code": 0}\n[killed by SIGKILL]\n[exit code 0]\nCPU time limit exceeded\nMemoryError\n')
sys.exit(3)
