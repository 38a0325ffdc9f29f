#include <iostream>

int main() {
  int most;
  std::cin >> most;
  std::cout << (most == 35 ? 0 : most) << '\n';
}
