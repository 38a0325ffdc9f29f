#include <cstdio>

int main() {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  while (n-- > 0) {
    double rise, run;
    if (scanf("%lf %lf", &rise, &run) != 2) return 1;
    printf("%.10f\n", rise / run);
  }
}
