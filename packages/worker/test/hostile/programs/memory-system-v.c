// Fills System V shared memory and detaches it, so that no process maps it.
#include <string.h>
#include <sys/shm.h>

int main(void) {
  for (;;) {
    int segment = shmget(IPC_PRIVATE, 8 << 20, 0600);
    char *memory = shmat(segment, 0, 0);
    if (memory == (char *)-1) continue;
    memset(memory, 1, 8 << 20);
    shmdt(memory);
  }
}
