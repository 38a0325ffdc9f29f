// Takes what the first process and all others that it sees hold: files, memory, variables, another
// root.
#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void try_open(const char *path, int flags) {
  int file = open(path, flags | O_NONBLOCK);
  if (file >= 0) printf("GAINED %s\n", path);
  close(file);
}

static void try_variables(const char *path) {
  char text[65536] = "";
  const char *known[] = {"PATH=", "HOME=", "TMPDIR=", "LANG=", "PWD=", "HOSTILE_MARK="};
  int file = open(path, O_RDONLY);
  long size = read(file, text, sizeof text - 1);
  close(file);
  for (char *word = text; size > 0 && word < text + size; word += strlen(word) + 1) {
    int found = 0;
    for (int i = 0; i < 6; i++) found |= strncmp(word, known[i], strlen(known[i])) == 0;
    if (!found) printf("GAINED %s in %s\n", word, path);
  }
}

static void try_folder(const char *pid, const char *name) {
  char path[64];
  struct stat own, other;
  snprintf(path, sizeof path, "/proc/%s/%s/", pid, name);
  if (stat(path, &other) != 0 || stat("/", &own) != 0) return;
  if (own.st_dev != other.st_dev || own.st_ino != other.st_ino) printf("GAINED %s\n", path);
}

static void try_process(const char *pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/mem", pid);
  try_open(path, O_RDWR);
  snprintf(path, sizeof path, "/proc/%s/environ", pid);
  try_variables(path);
  try_folder(pid, "root");
  // The first three are the program's own streams.
  for (int number = 3; number < 64; number++) {
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
