// The right idea, but balances of more than 32 bits do not fit into an int.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  std::vector<int> ends;
  for (int day = 0; day < n; day++) {
    int balance;
    std::cin >> balance;
    auto place = std::lower_bound(ends.begin(), ends.end(), balance);
    if (place == ends.end()) ends.push_back(balance);
    else *place = balance;
  }
  std::cout << ends.size() << '\n';
}
