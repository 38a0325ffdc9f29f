#include <iostream>
#include <string>

#include "bounds.h"

int main() {
  std::string line;
  if (!std::getline(std::cin, line)) return 1;
  if (line.empty() || line.size() > 13 || line[0] == '0') return 1;
  if (line.find_first_not_of("0123456789") != std::string::npos) return 1;
  if (std::cin.get() != EOF) return 1;
  const long long coins = std::stoll(line);
  return coins >= FEWEST && coins <= MOST ? 42 : 1;
}
