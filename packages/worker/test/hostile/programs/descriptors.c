// Looks for inherited file descriptors, by number and by name, and at what the first three are.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
  for (int file = 3; file < 70000; file++)
    if (fcntl(file, F_GETFD) >= 0) printf("GAINED descriptor %d\n", file);
  DIR *names = opendir("/proc/self/fd");
  for (struct dirent *entry; names && (entry = readdir(names));)
    if (atoi(entry->d_name) > 2 && atoi(entry->d_name) != dirfd(names)) printf("GAINED %s\n", entry->d_name);
  for (int file = 0; file < 3; file++) {
    struct stat facts;
    char folder[32];
    fstat(file, &facts);
    if (S_ISDIR(facts.st_mode) || S_ISSOCK(facts.st_mode) || isatty(file)) printf("GAINED stream %d\n", file);
    snprintf(folder, sizeof folder, "/proc/self/fd/%d/..", file);
    if (open(folder, O_RDONLY) >= 0) printf("GAINED the folder of stream %d\n", file);
  }
  if (openat(0, "..", O_RDONLY) >= 0) puts("GAINED the folder of stdin");
  puts("done");
}
