#include <iostream>

int main() {
  long long length;
  std::cin >> length;
  volatile long long step = 0;
  while (step < length * 10000000LL) step = step + 1;
  std::cout << (length + 3) / 4 << '\n';
}
