# Tries to change something in every mount: names, contents, modes, owners, times and attributes.
import os
import stat
import sys

PRIVATE = ("/tmp", "/box", "/dev/shm")


def attempt(what, path, action):
    try:
        action()
        print("GAINED", what, path)
    except OSError:
        pass


def make(path, kind):
    os.mknod(path, kind | 0o600, os.makedev(1, 3))


def change_inode(path):
    attempt("chmod", path, lambda: os.chmod(path, 0o777))
    attempt("chown", path, lambda: os.chown(path, os.getuid(), os.getgid()))
    attempt("times", path, lambda: os.utime(path))
    attempt("set times", path, lambda: os.utime(path, (1, 1)))
    attempt("attribute", path, lambda: os.setxattr(path, "user.hostile", b"message"))
    if stat.S_ISREG(os.stat(path).st_mode):
        attempt("truncate", path, lambda: os.truncate(path, 0))
        attempt("write", path, lambda: os.close(os.open(path, os.O_WRONLY)))
        attempt("unlink", path, lambda: os.unlink(path))


def change_folder(folder):
    name = folder.rstrip("/") + "/hostile"
    attempt("file", name, lambda: os.close(os.open(name, os.O_CREAT | os.O_WRONLY)))
    attempt("unnamed file", folder, lambda: os.close(os.open(folder, os.O_TMPFILE | os.O_RDWR)))
    attempt("folder", name, lambda: os.mkdir(name))
    attempt("symbolic link", name, lambda: os.symlink("/", name))
    attempt("fifo", name, lambda: os.mkfifo(name))
    entries = [e.path for e in os.scandir(folder) if not e.is_symlink()] if os.access(folder, os.R_OK) else []
    for entry in [path for path in entries if path not in PRIVATE][:5]:
        attempt("link", entry, lambda: os.link(entry, name))
        attempt("rename", entry, lambda: os.rename(entry, name))
        change_inode(entry)


mounts = [line.split()[4] for line in open("/proc/self/mountinfo")]
for mount in sorted(set(mounts)):
    if mount in PRIVATE or not os.path.exists(mount):
        continue
    change_inode(mount)
    if os.path.isdir(mount):
        change_folder(mount)
for folder in PRIVATE:
    attempt("device", folder, lambda: make(folder + "/hostile", stat.S_IFCHR))
    attempt("block device", folder, lambda: make(folder + "/hostile", stat.S_IFBLK))
for folder in ["/etc", "/usr/bin", "/usr/lib", "/var", "/run", "/home", "/root", sys.path[0]]:
    if os.path.isdir(folder):
        change_folder(folder)
print("done")
