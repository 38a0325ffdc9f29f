// Spreads memory over many processes, each of which takes little.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  for (int i = 0; i < 60; i++) {
    if (fork() != 0) continue;
    char *memory = malloc(4 << 20);
    if (memory) memset(memory, 1, 4 << 20);
    for (;;) pause();
  }
  for (;;) pause();
}
