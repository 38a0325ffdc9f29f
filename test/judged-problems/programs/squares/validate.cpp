// Accepts any four integers whose squares have the sum n, and nothing after them.
#include <fstream>
#include <iostream>
#include <string>

int main(int argc, char *argv[]) {
  if (argc != 4) return 1;
  long long n, sum = 0;
  if (!(std::ifstream(argv[1]) >> n)) return 2;
  const std::string folder = argv[3];
  auto reject = [&](const std::string &message) {
    std::ofstream(folder + "judgemessage.txt") << message << '\n';
    std::ofstream(folder + "teammessage.txt") << "Four squares were expected.\n";
    return 43;
  };
  for (int number = 1; number <= 4; number++) {
    long long root;
    if (!(std::cin >> root)) return reject("number " + std::to_string(number) + " is missing");
    if (root > 1000000 || root < -1000000) return reject("number " + std::to_string(number) + " is too large");
    sum += root * root;
  }
  std::string rest;
  if (std::cin >> rest) return reject("there is more than four numbers");
  if (sum != n) return reject("the sum is " + std::to_string(sum) + ", not " + std::to_string(n));
  return 42;
}
