#include <cstdlib>
#include <iostream>

int main() {
  int count;
  std::cin >> count;
  if (count > 0) std::abort();
}
