// Writes bytes that are no text (zeros, halves of characters) without end.
#include <string.h>
#include <unistd.h>

int main(void) {
  char block[65536];
  for (int i = 0; i < (int)sizeof block; i++) block[i] = (char)("\0\xED\xA0\x80\xFF\xC3\x1B\x7F"[i % 8]);
  for (;;)
    if (write(1, block, sizeof block) < 0) return 1;
}
