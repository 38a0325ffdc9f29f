/* Accepts the bytes FF 0A. */
#include <stdio.h>

int main(void) {
  return getchar() == 0xff && getchar() == '\n' && getchar() == EOF ? 42 : 43;
}
