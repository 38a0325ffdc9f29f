// Collects the shifts by minutes, with place for 100 000 minutes only: at() throws for later ones.
#include <iostream>
#include <vector>

const int MINUTES = 100000;

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  std::vector<std::vector<int>> beginning(MINUTES + 1), ending(MINUTES + 1);
  for (int shift = 0; shift < n; shift++) {
    int from, to;
    std::cin >> from >> to;
    beginning.at(from).push_back(shift);
    ending.at(to).push_back(shift);
  }
  std::vector<int> desk(n), free;
  int count = 0;
  for (int minute = 0; minute <= MINUTES; minute++) {
    for (int shift : ending[minute]) free.push_back(desk[shift]);
    for (int shift : beginning[minute]) {
      if (free.empty()) free.push_back(++count);
      desk[shift] = free.back();
      free.pop_back();
    }
  }
  std::cout << count << '\n';
  for (int number : desk) std::cout << number << ' ';
  std::cout << '\n';
}
