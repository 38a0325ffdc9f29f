/* Prints the bytes FF 0A. */
#include <stdio.h>

int main(void) {
  putchar(0xff);
  putchar('\n');
  return 0;
}
