// Writes without end: lines, or bytes that are no text (zeros, halves of characters).
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char kind[8] = "", block[65536];
  if (scanf("%7s", kind) != 1) return 1;
  for (int i = 0; i < (int)sizeof block; i++) block[i] = (char)("\0\xED\xA0\x80\xFF\xC3\x1B\x7F"[i % 8]);
  while (strcmp(kind, "lines") == 0) puts("The same line again.");
  while (write(1, block, sizeof block) >= 0) continue;
  return 1;
}
