#include <algorithm>
#include <iostream>

int main() {
  int most;
  std::cin >> most;
  std::cout << std::min(most, {{highest.value}}) << '\n';
}
