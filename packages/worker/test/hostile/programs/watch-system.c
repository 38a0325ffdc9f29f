// Watches folders that all programs share, to see what a program in another sandbox opens.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  const char *shared[] = {"/usr", "/usr/bin", "/usr/bin/env", "/dev/null", "/app"};
  int watcher = inotify_init1(IN_NONBLOCK);
  for (int i = 0; i < 5; i++)
    if (inotify_add_watch(watcher, shared[i], IN_ALL_EVENTS) >= 0) printf("GAINED inotify on %s\n", shared[i]);
  if (fcntl(open("/usr/bin", O_RDONLY), F_NOTIFY, DN_ACCESS | DN_MULTISHOT) == 0) puts("GAINED F_NOTIFY on /usr/bin");
  if (fcntl(open("/usr/bin/env", O_RDONLY), F_SETLEASE, F_RDLCK) == 0) puts("GAINED a lease on /usr/bin/env");
  if (syscall(SYS_fanotify_init, 0x200, 0) >= 0) puts("GAINED fanotify");
  puts("done");
}
