// Uses the CPU in children that end before any limit of their own.
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  for (;;) {
    if (fork() == 0) {
      for (volatile long i = 0; i < 10 * 1000 * 1000; i++) continue;
      _exit(0);
    }
    wait(0);
  }
}
