#include <iostream>

int main() {
  long long coins;
  std::cin >> coins;
  std::cout << coins / 2 << '\n' << coins - coins / 2 << '\n';
}
