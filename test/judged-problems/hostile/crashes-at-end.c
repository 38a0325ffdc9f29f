/* Waits for the end of the talk and crashes. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  while (getchar() != EOF) continue;
  abort();
}
