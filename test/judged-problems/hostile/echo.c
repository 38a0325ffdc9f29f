/* Prints its input. */
#include <stdio.h>

int main(void) {
  for (int letter; (letter = getchar()) != EOF;) putchar(letter);
  return 0;
}
