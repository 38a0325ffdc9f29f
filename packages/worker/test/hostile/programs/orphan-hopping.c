// Leaves a process that changes its number all the time: it forks and ends, for ever.
#include <stdio.h>
#include <unistd.h>

int main(void) {
  puts("done");
  fflush(stdout);
  if (fork() > 0) return 0;
  for (;;) {
    setsid();
    if (fork() > 0) _exit(0);
  }
}
