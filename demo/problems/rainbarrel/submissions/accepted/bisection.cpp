// Adds up the volumes from the floor, and finds the tub of each surface by bisection: O(q log n).
#include <algorithm>
#include <cstdio>
#include <vector>

int main() {
  int n;
  if (scanf("%d", &n) != 1) return 1;
  std::vector<long long> base(n), volume(n + 1, 0), height(n + 1, 0);
  for (int tub = 0; tub < n; tub++) {
    long long rise;
    if (scanf("%lld %lld", &base[tub], &rise) != 2) return 1;
    volume[tub + 1] = volume[tub] + base[tub] * rise;
    height[tub + 1] = height[tub] + rise;
  }
  int q;
  if (scanf("%d", &q) != 1) return 1;
  while (q-- > 0) {
    long long poured;
    if (scanf("%lld", &poured) != 1) return 1;
    int full = std::upper_bound(volume.begin(), volume.end(), poured) - volume.begin() - 1;
    double surface = height[full];
    if (full < n) surface += double(poured - volume[full]) / base[full];
    printf("%.9f\n", surface);
  }
}
