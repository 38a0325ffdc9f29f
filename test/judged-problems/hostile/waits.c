/* Waits for a line before it says 7. */
#include <stdio.h>

int main(void) {
  if (getchar() == EOF) return 0;
  puts("7");
  return 0;
}
