#include <algorithm>
#include <iostream>

int main() {
  int count;
  long long part, height = 0, highest = 0;
  std::cin >> count;
  while (std::cin >> part) highest = std::max(highest, height += part);
  std::cout << highest << '\n';
}
