// Makes every system call that the sandbox must refuse, with arguments that work without a filter
// where possible.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect(const char *call, long result, int error) {
  int found = errno;
  if (result == 0 && strstr(call, "clone")) return;
  if (result >= 0) printf("GAINED %s\n", call);
  else if (found != error) printf("%s: error %d instead of %d\n", call, found, error);
  fflush(stdout);
}

#define REFUSED(...) (errno = 0, expect(#__VA_ARGS__, (long)(__VA_ARGS__), EPERM))

static void try_keys_and_rings(void) {
  long zeros[32] = {0};
  REFUSED(syscall(SYS_keyctl, 0, -3, 1));
  REFUSED(syscall(SYS_keyctl, 1, 0));
  REFUSED(syscall(SYS_add_key, "user", "hostile", "x", 1, -3));
  REFUSED(syscall(SYS_request_key, "user", "hostile", 0, -3));
  REFUSED(syscall(SYS_io_uring_setup, 1, zeros));
  REFUSED(syscall(SYS_io_uring_enter, 0, 1, 1, 0, 0, 0));
  REFUSED(syscall(SYS_io_uring_register, 0, 0, 0, 0));
  REFUSED(syscall(SYS_userfaultfd, 1));
  REFUSED(syscall(SYS_bpf, 0, zeros, sizeof zeros));
  REFUSED(syscall(SYS_perf_event_open, zeros, 0, -1, -1, 0));
}

static void try_namespaces(void) {
  int flags[] = {CLONE_NEWUSER, CLONE_NEWNS, CLONE_NEWPID, CLONE_NEWNET, CLONE_NEWIPC, CLONE_NEWUTS, CLONE_NEWCGROUP, 0x80};
  for (int i = 0; i < 8; i++) REFUSED(unshare(flags[i]));
  for (int i = 0; i < 7; i++) {
    long child = syscall(SYS_clone, flags[i] | 17, 0, 0, 0, 0);
    if (child == 0) {
      puts("GAINED a namespace by clone");
      fflush(stdout);
      _exit(0);
    }
    expect("clone into a namespace", child, EPERM);
  }
  REFUSED(setns(open("/proc/self/ns/user", O_RDONLY), 0));
  REFUSED(setns(open("/proc/self/ns/net", O_RDONLY), CLONE_NEWNET));
}

static void try_mounts(void) {
  REFUSED(syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, ""));
  REFUSED(syscall(SYS_mount, 0, "/usr", 0, 32 | 4096, 0));
  REFUSED(syscall(SYS_umount2, "/tmp", 2));
  REFUSED(syscall(SYS_pivot_root, "/tmp", "/tmp"));
  REFUSED(syscall(SYS_open_tree, AT_FDCWD, "/usr", 1));
  REFUSED(syscall(SYS_move_mount, AT_FDCWD, "/usr", AT_FDCWD, "/tmp", 0));
  REFUSED(syscall(SYS_fsopen, "tmpfs", 0));
  REFUSED(syscall(SYS_fsconfig, 0, 6, 0, 0, 0));
  REFUSED(syscall(SYS_fsmount, 0, 0, 0));
  REFUSED(syscall(SYS_fspick, AT_FDCWD, "/usr", 0));
  REFUSED(syscall(442, AT_FDCWD, "/usr", 0, 0, 0));
}

static void try_other_processes(void) {
  long word = 0;
  struct iovec memory = {&word, sizeof word};
  long self = syscall(434, getpid(), 0);
  REFUSED(syscall(438, self, 0, 0));
  REFUSED(process_vm_readv(getpid(), &memory, 1, &memory, 1, 0));
  REFUSED(process_vm_writev(getpid(), &memory, 1, &memory, 1, 0));
  REFUSED(ptrace(PTRACE_TRACEME, 0, 0, 0));
  REFUSED(ptrace(PTRACE_SEIZE, 1, 0, 0));
}

static void try_locks(void) {
  int own = open("/tmp/hostile-lock", O_CREAT | O_RDWR, 0600), shared = open("/usr/bin/env", O_RDONLY);
  struct flock write_lock = {.l_type = F_WRLCK}, read_lock = {.l_type = F_RDLCK};
  REFUSED(syscall(SYS_flock, own, 2));
  REFUSED(syscall(SYS_flock, shared, 1));
  REFUSED(fcntl(own, F_SETLK, &write_lock));
  REFUSED(fcntl(own, F_SETLKW, &write_lock));
  REFUSED(fcntl(own, F_OFD_SETLK, &write_lock));
  REFUSED(fcntl(own, F_OFD_SETLKW, &write_lock));
  REFUSED(fcntl(shared, F_SETLK, &read_lock));
  REFUSED(fcntl(shared, F_OFD_SETLK, &read_lock));
  REFUSED(fcntl(shared, F_GETLK, &write_lock));
  write_lock.l_pid = 0;
  REFUSED(fcntl(shared, F_OFD_GETLK, &write_lock));
}

int main(void) {
  uint64_t arguments[8] = {0, 0, 0, 0, 17};
  errno = 0;
  long child = syscall(435, arguments, sizeof arguments);
  if (child == 0) _exit(0);
  expect("third version of clone()", child, ENOSYS);
  try_keys_and_rings();
  try_namespaces();
  try_mounts();
  try_other_processes();
  try_locks();
  puts("done");
}
