/* Leaves a process and files, and rejects the output if it finds those of an earlier run. */
#include <fcntl.h>
#include <unistd.h>

#include "mode.h"

int main(int argc, char *argv[]) {
  char path[4096];
  read_mode(argc, argv);
  if (!is("leaves")) return 95;
  const char *marks[] = {"/tmp/hostile-mark", "hostile-mark", "/dev/shm/hostile-mark", argv[1], argv[2]};
  for (int i = 0; i < 5; i++) {
    if (i < 3 && access(marks[i], F_OK) == 0) return 43;
    int mark = open(marks[i], O_WRONLY | O_CREAT, 0666);
    if (i >= 3 && mark >= 0) return 43;
  }
  snprintf(path, sizeof path, "%smark", argv[3]);
  if (access(path, F_OK) == 0) return 43;
  leave(argv[3], "mark", "");
  for (int i = 0; i < 5; i++) {
    pid_t child = fork();
    if (child < 0) break;
    if (child > 0) continue;
    setsid();
    for (;;) pause();
  }
  return 42;
}
