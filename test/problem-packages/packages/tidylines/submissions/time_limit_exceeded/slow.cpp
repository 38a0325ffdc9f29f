// @EXPECTED_RESULTS@: TIMELIMIT
#include <iostream>
#include <string>

int main() {
  volatile unsigned long long step = 0;
  while (step < 20000000000ULL) step = step + 1;
  std::string word;
  while (std::cin >> word) std::cout << word << '\n';
}
