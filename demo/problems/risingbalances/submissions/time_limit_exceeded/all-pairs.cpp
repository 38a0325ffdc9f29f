// Looks at all earlier days for each day: correct, but O(n^2).
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  std::vector<long long> balance(n);
  for (auto &value : balance) std::cin >> value;
  std::vector<int> longest(n, 1);
  for (int day = 0; day < n; day++)
    for (int earlier = 0; earlier < day; earlier++)
      if (balance[earlier] < balance[day]) longest[day] = std::max(longest[day], longest[earlier] + 1);
  std::cout << *std::max_element(longest.begin(), longest.end()) << '\n';
}
