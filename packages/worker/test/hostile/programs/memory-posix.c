// Fills POSIX shared memory, unmaps it and keeps its names.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int main(void) {
  for (int number = 0;; number++) {
    char name[32];
    snprintf(name, sizeof name, "/hostile-%d", number);
    int file = shm_open(name, O_CREAT | O_RDWR, 0600);
    if (file < 0 || ftruncate(file, 8 << 20) != 0) continue;
    char *memory = mmap(0, 8 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory != MAP_FAILED) memset(memory, 1, 8 << 20), munmap(memory, 8 << 20);
    close(file);
  }
}
