// Writes lines to stdout without end.
#include <stdio.h>

int main(void) {
  for (;;) puts("The same line again.");
}
