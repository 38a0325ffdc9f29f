#include <iostream>

int main() {
  long long number, sum = 0;
  while (std::cin >> number) sum += number;
  std::cout << sum << "\n";
}
