// Writes an exit code to the launcher's pipe by every way to its descriptors, then fails.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char status[] = "{\"exit-code\": 0}\n";

static void forge(const char *way, int file) {
  if (file >= 0 && write(file, status, strlen(status)) > 0) printf("GAINED %s\n", way);
}

static void forge_through(int pid) {
  char path[64], word[8];
  struct iovec own = {word, 8}, other = {(void *)0x400000, 8};
  int process = syscall(434, pid, 0);
  // The first three are the program's own streams.
  for (int number = 3; number < 32; number++) {
    snprintf(path, sizeof path, "/proc/%d/fd/%d", pid, number);
    if (pid != getpid()) forge("a descriptor by its path", open(path, O_WRONLY | O_NONBLOCK));
    if (pid != getpid()) forge("a descriptor by pidfd_getfd", syscall(438, process, number, 0));
  }
  if (pid == getpid()) return;
  if (ptrace(PTRACE_ATTACH, pid, 0, 0) == 0) printf("GAINED ptrace of %d\n", pid);
  if (process_vm_readv(pid, &own, 1, &other, 1, 0) > 0) printf("GAINED memory of %d\n", pid);
  snprintf(path, sizeof path, "/proc/%d/mem", pid);
  if (open(path, O_RDWR) >= 0) printf("GAINED %s\n", path);
}

int main(void) {
  for (int file = 3; file < 1024; file++) forge("an inherited descriptor", file);
  for (int pid = 1; pid < 20; pid++) forge_through(pid);
  puts("done");
  return 7;
}
