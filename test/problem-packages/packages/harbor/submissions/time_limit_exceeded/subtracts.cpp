#include <iostream>

int main() {
  long long arrival, hours;
  std::cin >> arrival >> hours;
  volatile long long left = arrival + hours;
  while (left >= 24) left = left - 24;
  std::cout << left << '\n';
}
