#include <iostream>

int main() {
  long long coins;
  std::cin >> coins;
  volatile long long first = 0;
  while (first < coins - first - 1) first = first + 1;
  std::cout << first << ' ' << coins - first << '\n';
}
