// Tries one desk after the other for each shift, and looks at all earlier shifts each time: O(n^3).
#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  std::vector<int> from(n), to(n), order(n), desk(n, 0);
  for (int shift = 0; shift < n; shift++) std::cin >> from[shift] >> to[shift];
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int one, int other) { return from[one] < from[other]; });
  int count = 0;
  for (int place = 0; place < n; place++) {
    int begin = from[order[place]], number = 0;
    bool taken = true;
    while (taken) {
      number++;
      taken = false;
      for (int earlier = 0; earlier < place && !taken; earlier++)
        taken = desk[order[earlier]] == number && to[order[earlier]] > begin;
    }
    desk[order[place]] = number;
    count = std::max(count, number);
  }
  std::cout << count << '\n';
  for (int number : desk) std::cout << number << '\n';
}
