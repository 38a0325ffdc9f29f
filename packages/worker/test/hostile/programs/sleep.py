# Sleeps without using the CPU.
import time

time.sleep(1_000_000)
