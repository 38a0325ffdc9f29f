# Locks files by every interface of Python, on files of its own and on files that all programs
# share.
import fcntl
import os
import struct

OFD_SETLK = 37
for path, mode in [("/tmp/hostile-lock", os.O_RDWR | os.O_CREAT), ("/usr/bin/env", os.O_RDONLY), ("/dev/null", os.O_RDWR)]:
    file = os.open(path, mode)
    kind = fcntl.F_RDLCK if mode == os.O_RDONLY else fcntl.F_WRLCK
    lock = struct.pack("hhqqi4x", kind, os.SEEK_SET, 0, 0, 0)
    attempts = {
        "flock": lambda: fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB),
        "lockf": lambda: fcntl.lockf(file, (fcntl.LOCK_SH if mode == os.O_RDONLY else fcntl.LOCK_EX) | fcntl.LOCK_NB),
        "open file lock": lambda: fcntl.fcntl(file, OFD_SETLK, lock),
    }
    for name, lock_file in attempts.items():
        try:
            lock_file()
            print("GAINED", name, "on", path)
        except PermissionError:
            pass
print("done")
