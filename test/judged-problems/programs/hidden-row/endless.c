#include <stdio.h>

int main(void) {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  for (volatile int i = 0;; i++) continue;
}
