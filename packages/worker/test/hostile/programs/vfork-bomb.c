// Children made by vfork replace themselves by this program again, for ever.
#include <unistd.h>

int main(int count, char **arguments) {
  (void)count;
  for (;;) {
    if (vfork() != 0) continue;
    execl("/proc/self/exe", arguments[0], (char *)0);
    _exit(1);
  }
}
