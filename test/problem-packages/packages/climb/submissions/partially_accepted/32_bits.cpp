#include <algorithm>
#include <iostream>

int main() {
  int count, part, height = 0, highest = 0;
  std::cin >> count;
  while (std::cin >> part) {
    height = static_cast<int>(static_cast<unsigned>(height) + static_cast<unsigned>(part));
    highest = std::max(highest, height);
  }
  std::cout << highest << '\n';
}
