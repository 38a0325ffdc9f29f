// Keeps the smallest last balance of the rising choices of each length: O(n log n).
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  std::vector<long long> ends;
  for (int day = 0; day < n; day++) {
    long long balance;
    std::cin >> balance;
    auto place = std::lower_bound(ends.begin(), ends.end(), balance);
    if (place == ends.end()) ends.push_back(balance);
    else *place = balance;
  }
  std::cout << ends.size() << '\n';
}
