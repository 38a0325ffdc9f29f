# Reads everything below /proc that does not merely describe the machine or this program, and looks
# for /sys.
import os

MACHINE = {"cpuinfo", "meminfo", "stat", "loadavg", "uptime", "version", "filesystems", "cgroups", "devices"}
MACHINE |= {"buddyinfo", "bus", "cmdline", "consoles", "crypto", "diskstats", "dma", "driver", "execdomains", "fb"}
MACHINE |= {"fs", "irq", "misc", "mtrr", "partitions", "pressure", "softirqs", "swaps", "tty", "vmstat", "zoneinfo"}
MACHINE |= {"acpi", "schedstat"}
OWN = {"self", "thread-self", "net", "mounts", "sysvipc"}


def read_some(path):
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            return os.read(file, 64)
        finally:
            os.close(file)
    except OSError:
        return b""


def walk(folder):
    for parent, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(parent, name)
            if not os.path.islink(path) and read_some(path):
                print("GAINED", path)


for name in sorted(os.listdir("/proc")):
    path = "/proc/" + name
    if name in MACHINE | OWN or name.isdigit():
        continue
    if os.path.isdir(path):
        walk(path)
    elif read_some(path):
        print("GAINED", path)
if os.path.exists("/sys"):
    print("GAINED /sys")
print("done")
