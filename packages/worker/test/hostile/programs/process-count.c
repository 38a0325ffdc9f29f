// Starts processes that never end until the kernel refuses, and leaves them all behind.
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int started = 0;
  for (; started < 1000; started++) {
    pid_t pid = fork();
    if (pid < 0) break;
    while (pid == 0) pause();
  }
  if (started == 1000) puts("GAINED 1000 processes");
  puts("done");
}
