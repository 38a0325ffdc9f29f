// Manacher's algorithm with place for 65 536 letters: at() throws for longer words.
#include <algorithm>
#include <array>
#include <iostream>
#include <string>

std::array<int, 65536> reach;

// Counts the mirrors centred on a letter (gap 0) or just before one (gap 1).
long long countMirrors(const std::string &text, int gap) {
  const int n = static_cast<int>(text.size());
  long long total = 0;
  int left = 0, right = -1;
  for (int centre = 0; centre < n; centre++) {
    int size = 1 - gap;
    if (centre <= right) size = std::min(reach.at(left + right - centre + gap), right - centre + 1);
    while (centre + size < n && centre - size - gap >= 0 && text[centre + size] == text[centre - size - gap]) size++;
    reach.at(centre) = size;
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
