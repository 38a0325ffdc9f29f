#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>

#include "verdicts.h"

int main(int argc, char** argv) {
  std::ifstream input(argv[1]);
  long long coins = 0;
  input >> coins;
  long long max_difference = coins;
  for (int i = 4; i + 1 < argc; i += 2)
    if (!std::strcmp(argv[i], "max_difference")) max_difference = std::atoll(argv[i + 1]);
  long long first, second;
  std::string rest;
  if (!(std::cin >> first >> second)) reject(argv[3], "there are no two numbers");
  if (std::cin >> rest) reject(argv[3], "there is more than two numbers");
  if (first < 1 || second < 1) reject(argv[3], "a share has no coin");
  if (first > coins || coins - first != second) reject(argv[3], "the shares are not the pot");
  if (std::llabs(first - second) > max_difference) reject(argv[3], "the shares differ too much");
  accept();
}
