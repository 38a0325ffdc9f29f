// Gives each shift, by its begin, the first desk without an overlap: it looks at all shifts, O(n^2).
#include <algorithm>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  std::vector<int> from(n), to(n), order(n), desk(n);
  for (int shift = 0; shift < n; shift++) std::cin >> from[shift] >> to[shift];
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int one, int other) { return from[one] < from[other]; });
  int count = 0;
  for (int place = 0; place < n; place++) {
    std::vector<char> used(count + 2, 0);
    for (int earlier = 0; earlier < place; earlier++)
      if (to[order[earlier]] > from[order[place]]) used[desk[order[earlier]]] = 1;
    int number = 1;
    while (used[number]) number++;
    desk[order[place]] = number;
    count = std::max(count, number);
  }
  std::cout << count << '\n';
  for (int number : desk) std::cout << number << '\n';
}
