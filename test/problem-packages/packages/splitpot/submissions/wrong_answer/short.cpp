#include <iostream>

int main() {
  int coins;
  std::cin >> coins;
  std::cout << coins / 2 << ' ' << coins - coins / 2 << '\n';
}
