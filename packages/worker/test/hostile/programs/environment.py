# Looks for variables of the judge in its own environment, as it was at the start too.
import os

KNOWN = {"PATH", "HOME", "TMPDIR", "LANG", "PWD", "LC_CTYPE", "HOSTILE_MARK"}
at_start = open("/proc/self/environ").read().split("\0")
for name in sorted({text.split("=")[0] for text in at_start if text} | set(os.environ)):
    if name not in KNOWN:
        print("GAINED", name)
if len({os.environ["HOME"], "/box"}) > 1:
    print("GAINED home", os.environ["HOME"])
print("done")
