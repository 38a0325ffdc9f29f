#include <cstdio>
#include <cstdlib>

int main() {
  int a, b;
  if (scanf("%d %d", &a, &b) != 2) return 1;
  if (a < 0) abort();
  printf("%.1f\n", (a + 0.0 + b) / 2);
}
