/* Says 7 and waits for the end of the talk. */
#include <stdio.h>

int main(void) {
  puts("7");
  fflush(stdout);
  while (getchar() != EOF) continue;
  return 0;
}
