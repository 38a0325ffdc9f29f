// Makes sparse files of a terabyte in every writable folder.
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static void try_size(const char *name, int file) {
  if (file < 0) return;
  if (ftruncate(file, 1L << 40) == 0) printf("GAINED ftruncate in %s\n", name);
  if (fallocate(file, 0, 0, 1L << 40) == 0) printf("GAINED fallocate in %s\n", name);
  if (pwrite(file, "x", 1, 1L << 40) == 1) printf("GAINED pwrite in %s\n", name);
}

int main(void) {
  signal(SIGXFSZ, SIG_IGN);
  try_size("/tmp", open("/tmp/hostile-file", O_CREAT | O_RDWR, 0600));
  try_size("/dev/shm", open("/dev/shm/hostile-file", O_CREAT | O_RDWR, 0600));
  try_size("/box", open("/box/hostile-file", O_CREAT | O_RDWR, 0600));
  try_size("memfd", memfd_create("hostile", 0));
  puts("done");
}
