// Bisects the height of each surface, and adds up the tubs below it each time: O(50 n q).
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  std::vector<double> base(n), rise(n);
  double top = 0;
  for (int tub = 0; tub < n; tub++) {
    if (scanf("%lf %lf", &base[tub], &rise[tub]) != 2) return 1;
    top += rise[tub];
  }
  int q;
  if (scanf("%d", &q) != 1) return 1;
  while (q-- > 0) {
    double poured;
    if (scanf("%lf", &poured) != 1) return 1;
    double low = 0, high = top;
    for (int step = 0; step < 50; step++) {
      double middle = (low + high) / 2, left = middle, volume = 0;
      for (int tub = 0; tub < n && left > 0; tub++) {
        volume += base[tub] * std::min(left, rise[tub]);
        left -= rise[tub];
      }
      if (volume < poured) low = middle;
      else high = middle;
    }
    printf("%.9f\n", high);
  }
}
