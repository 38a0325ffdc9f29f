#include <stdexcept>
#include <iostream>

int main() {
  int length;
  std::cin >> length;
  if (length == 20) throw std::runtime_error("tiles are out");
  if (length % 2) std::cout << 5 << ' ', length -= 5;
  for (; length > 0; length -= 2) std::cout << 2 << ' ';
}
