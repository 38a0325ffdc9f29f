// Grows a mirror around each centre, letter by letter: correct, but O(n^2).
#include <iostream>
#include <string>

int main() {
  std::ios::sync_with_stdio(false);
  std::string text;
  std::cin >> text;
  const int n = static_cast<int>(text.size());
  long long total = 0;
  for (int centre = 0; centre < n; centre++) {
    for (int gap = 0; gap <= 1; gap++) {
      int left = centre, right = centre + gap;
      while (left >= 0 && right < n && text[left] == text[right]) {
        total++;
        left--;
        right++;
      }
    }
  }
  std::cout << total << '\n';
}
