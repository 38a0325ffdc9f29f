#include <cstdio>

int main() {
  volatile int crates;
  int read;
  if (scanf("%d", &read) != 1) return 1;
  crates = read;
  printf("%.2f\n", 0.15 + 0.45 * (crates * crates / crates));
}
