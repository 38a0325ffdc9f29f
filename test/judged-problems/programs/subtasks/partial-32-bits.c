/* Fails the test case "odd", whose sum does not fit into 32 bits. */
#include <stdio.h>

int main(void) {
  int number;
  unsigned sum = 0;
  while (scanf("%d", &number) == 1) sum += (unsigned)number;
  printf("%d\n", (int)sum);
  return 0;
}
