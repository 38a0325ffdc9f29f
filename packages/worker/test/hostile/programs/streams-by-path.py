# Opens the standard streams by their names, as honest programs do, and overwrites its input for a
# later test.
import os

with open("/dev/stdin") as stdin, open("/dev/stdout", "w") as stdout, open("/dev/stderr", "w") as stderr:
    stdout.write(stdin.read())
    stderr.write("to stderr by name\n")
for path in "/dev/stdin", "/proc/self/fd/0":
    try:
        os.fchmod(0, 0o666)
    except OSError:
        pass
    try:
        file = os.open(path, os.O_WRONLY | os.O_TRUNC)
        os.write(file, b"GAINED the input of a later test\n")
        os.close(file)
    except OSError:
        pass
