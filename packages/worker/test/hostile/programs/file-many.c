// Makes empty files without end, which take inodes but no blocks.
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  for (int number = 0;; number++) {
    char path[64];
    snprintf(path, sizeof path, "/tmp/hostile-%d", number);
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    if (file >= 0) close(file);
  }
}
