// Fills anonymous mappings that are shared with a child.
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  for (;;) {
    char *more = mmap(0, 8 << 20, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (more == MAP_FAILED) continue;
    memset(more, 1, 8 << 20);
    if (fork() == 0) pause();
  }
}
