// Every process starts two others in sessions of their own and ends: no process lives long enough
// to be found.
#include <unistd.h>

int main(void) {
  if (fork() > 0)
    for (;;) pause();
  for (;;) {
    setsid();
    if (fork() > 0 && fork() > 0) _exit(0);
  }
}
