#include <stdio.h>

int main(void) {
  for (int i = 0; i < 3 << 20; i++) putchar('1');
  return 0;
}
