#include <iostream>
#include <map>
#include <vector>

int main() {
  int limit, number;
  std::cin >> limit;
  std::map<int, std::vector<int>> ways{{0, {}}};
  while (std::cin >> number) {
    const auto before = ways;
    for (auto [sum, way] : before) {
      if (sum + number > limit) continue;
      way.push_back(number);
      ways.emplace(sum + number, way);
    }
  }
  for (int chosen : ways.rbegin()->second) std::cout << chosen << "\n";
}
