/* The input file of a hostile validator has its mode, a word. */
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char mode[64];

static void read_mode(int argc, char *argv[]) {
  if (argc < 4) exit(97);
  FILE *file = fopen(argv[1], "r");
  if (!file || fscanf(file, "%63s", mode) != 1) exit(99);
  fclose(file);
}

static int is(const char *name) { return strcmp(mode, name) == 0; }

/* Writes a file in the feedback folder. */
__attribute__((unused)) static void leave(const char *folder, const char *name, const char *text) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", folder, name);
  FILE *file = fopen(path, "w");
  if (!file) exit(98);
  fputs(text, file);
  fclose(file);
}
