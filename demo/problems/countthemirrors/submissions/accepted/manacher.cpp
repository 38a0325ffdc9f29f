// Manacher's algorithm, once for odd and once for even lengths: O(n).
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

// Counts the mirrors centred on a letter (gap 0) or just before one (gap 1).
long long countMirrors(const std::string &text, int gap) {
  const int n = static_cast<int>(text.size());
  std::vector<int> reach(n);
  long long total = 0;
  int left = 0, right = -1;
  for (int centre = 0; centre < n; centre++) {
    int size = 1 - gap;
    if (centre <= right) size = std::min(reach[left + right - centre + gap], right - centre + 1);
    while (centre + size < n && centre - size - gap >= 0 && text[centre + size] == text[centre - size - gap]) size++;
    reach[centre] = size;
    total += size;
    if (centre + size - 1 > right) {
      left = centre - size + 1 - gap;
      right = centre + size - 1;
    }
  }
  return total;
}

int main() {
  std::ios::sync_with_stdio(false);
  std::string text;
  std::cin >> text;
  std::cout << countMirrors(text, 0) + countMirrors(text, 1) << '\n';
}
