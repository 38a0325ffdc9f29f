# Opens the standard streams by their names, as honest programs do, and in ways that no honest program needs.
import os

with open("/dev/stdin") as stdin, open("/dev/stdout", "w") as stdout, open("/dev/stderr", "w") as stderr:
    stdout.write(stdin.read())
    stderr.write("to stderr by name\n")
for path, flags in [("/dev/stdin", os.O_WRONLY), ("/dev/stdin", os.O_RDWR), ("/proc/self/fd/0", os.O_WRONLY | os.O_TRUNC)]:
    try:
        os.close(os.open(path, flags))
        print("GAINED", path, "for writing")
    except OSError:
        pass
