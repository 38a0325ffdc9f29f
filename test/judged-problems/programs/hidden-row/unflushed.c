/* Waits for a response to a question that it has not sent. */
#include <stdio.h>

int main(void) {
  static char buffer[1 << 16];
  long long n, sum;
  setvbuf(stdout, buffer, _IOFBF, sizeof buffer);
  if (scanf("%lld", &n) != 1) return 1;
  printf("? 1 %lld\n", n);
  if (scanf("%lld", &sum) != 1) return 1;
  printf("! %lld\n", sum);
  return 0;
}
