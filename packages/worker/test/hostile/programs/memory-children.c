// Spreads memory over many processes, each of which takes little.
#include <stdlib.h>
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 60; i++) {
    if (fork() != 0) continue;
    volatile char *memory = malloc(4 << 20);
    for (int at = 0; memory && at < 4 << 20; at += 1024) memory[at] = 1;
    for (;;) pause();
  }
  for (;;) pause();
}
