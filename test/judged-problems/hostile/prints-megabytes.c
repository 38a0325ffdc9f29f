#include <stdio.h>

int main(void) {
  for (int i = 0; i < 4 << 20; i++) putchar(i % 80 ? '1' : '\n');
  return 0;
}
