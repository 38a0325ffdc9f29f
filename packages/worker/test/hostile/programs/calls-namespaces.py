# Makes namespaces and becomes root in them, by calls and by programs.
import ctypes
import os
import subprocess

libc = ctypes.CDLL(None, use_errno=True)
NAMES = {0x10000000: "user", 0x20000: "mount", 0x40000000: "net", 0x20000000: "pid", 0x08000000: "ipc"}
for flag, name in NAMES.items():
    pid = os.fork()
    if pid == 0:
        os._exit(0 if libc.unshare(0x10000000 | flag) == 0 else 1)
    if os.waitpid(pid, 0)[1] == 0:
        print("GAINED", name, "namespace")
for words in [["unshare", "-Ur", "id", "-u"], ["chroot", "/", "id", "-u"], ["mount", "-t", "tmpfs", "none", "/tmp"]]:
    if subprocess.run(words, capture_output=True).returncode == 0:
        print("GAINED", words)
print("done")
