// Bisection, but the sums are single-precision numbers, which are too coarse for large barrels.
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  std::vector<float> base(n), volume(n + 1, 0), height(n + 1, 0);
  for (int tub = 0; tub < n; tub++) {
    float rise;
    if (scanf("%f %f", &base[tub], &rise) != 2) return 1;
    volume[tub + 1] = volume[tub] + base[tub] * rise;
    height[tub + 1] = height[tub] + rise;
  }
  int q;
  if (scanf("%d", &q) != 1) return 1;
  while (q-- > 0) {
    float poured;
    if (scanf("%f", &poured) != 1) return 1;
    int full = std::upper_bound(volume.begin(), volume.end(), poured) - volume.begin() - 1;
    double surface = height[full];
    if (full < n) surface += double(poured - volume[full]) / base[full];
    printf("%.9f\n", surface);
  }
}
