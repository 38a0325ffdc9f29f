#include <iostream>

int main() {
  int length;
  std::cin >> length;
  for (; length >= 5; length -= 5) std::cout << "5 ";
}
