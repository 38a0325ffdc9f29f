#include <cstdio>

int main() {
  int crates;
  if (scanf("%d", &crates) != 1) return 1;
  volatile double height = 0.15;
  for (int crate = 0; crate < crates; crate++)
    for (long long lift = 0; lift < 1000000000LL; lift++) height = height + 0.45e-9;
  printf("%.2f\n", height);
}
