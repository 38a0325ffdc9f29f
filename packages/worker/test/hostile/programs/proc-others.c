// Opens the memory, files and folders of the first process and of all other processes that it sees.
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void try_open(const char *path, int flags) {
  int file = open(path, flags | O_NONBLOCK);
  if (file >= 0) printf("GAINED %s\n", path);
  close(file);
}

static void try_process(const char *pid) {
  const char *names[] = {"mem", "environ", "maps", "root", "cwd", "exe", "auxv", "syscall", "stack", "pagemap"};
  char path[400];
  for (int i = 0; i < 10; i++) {
    snprintf(path, sizeof path, "/proc/%s/%s", pid, names[i]);
    char byte;
    int file = open(path, O_RDONLY | O_NONBLOCK);
    if (file >= 0 && (i == 0 || (i > 2 && i < 6) || read(file, &byte, 1) == 1)) printf("GAINED %s\n", path);
    close(file);
  }
  snprintf(path, sizeof path, "/proc/%s/mem", pid);
  try_open(path, O_RDWR);
  for (int number = 0; number < 64; number++) {
    snprintf(path, sizeof path, "/proc/%s/fd/%d", pid, number);
    try_open(path, O_RDONLY);
    try_open(path, O_WRONLY);
  }
}

int main(void) {
  DIR *processes = opendir("/proc");
  for (struct dirent *entry; processes && (entry = readdir(processes));)
    if (isdigit((unsigned char)entry->d_name[0]) && atoi(entry->d_name) != getpid()) try_process(entry->d_name);
  puts("done");
}
