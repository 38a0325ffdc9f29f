#include <iostream>

#include "lamps.h"

int main() {
  int length;
  std::cin >> length;
  std::cout << countLanterns(length) << '\n';
}
