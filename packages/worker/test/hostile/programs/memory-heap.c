// Takes memory from the heap without end.
#include <stdlib.h>

int main(void) {
  for (;;) {
    volatile char *more = malloc(1 << 20);
    for (int at = 0; more && at < 1 << 20; at += 1024) more[at] = 1;
  }
}
