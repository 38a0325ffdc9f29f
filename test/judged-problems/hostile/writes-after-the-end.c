/* Writes after its input has ended, more than a pipe holds. */
#include <stdio.h>

int main(void) {
  while (getchar() != EOF) {
  }
  for (int i = 0; i < 100000; i += 1) puts("7");
  return fflush(stdout) == 0 ? 0 : 1;
}
