// Ends with the exit code that it reads: a code by which some launchers report a signal or a limit.
#include <stdio.h>

int main(void) {
  int code;
  if (scanf("%d", &code) != 1) return 1;
  puts("done");
  return code;
}
