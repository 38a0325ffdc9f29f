// Fills every writable folder in turn with files, for ever.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char block[1 << 20];

int main(void) {
  const char *folders[] = {"/tmp", "/dev/shm", "/box"};
  memset(block, 1, sizeof block);
  for (long number = 0;; number++) {
    char path[64];
    snprintf(path, sizeof path, "%s/hostile-%ld", folders[number % 3], number);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    if (file < 0) continue;
    for (int i = 0; i < 4; i++)
      if (write(file, block, sizeof block) < 0) break;
    close(file);
  }
}
