# Leaves a child that keeps stdout and stderr open and sleeps.
import os
import signal
import time

if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    time.sleep(1_000_000)
print("done")
