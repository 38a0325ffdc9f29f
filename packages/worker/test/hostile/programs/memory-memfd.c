// Hides memory in files that exist in no file system and are mapped by no process.
#define _GNU_SOURCE
#include <sys/mman.h>
#include <unistd.h>

static char block[1 << 20];

int main(void) {
  for (;;) {
    int file = memfd_create("hostile", 0);
    for (int i = 0; i < 16; i++)
      if (write(file, block, sizeof block) < 0) break;
  }
}
