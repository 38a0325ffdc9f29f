#include <iostream>

int main() {
  int islands;
  std::cin >> islands;
  volatile long long step = 0;
  while (islands > 1 && step < 20000000000LL) step = step + 1;
}
