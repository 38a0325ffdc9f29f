// The answer file holds a hidden row. Answers "? l r" with the sum of the numbers l to r, at most n
// times, and judges "! row".
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

int main(int argc, char *argv[]) {
  if (argc != 4) return 1;
  std::ifstream input(argv[1]), answer(argv[2]);
  int n;
  if (!(input >> n)) return 2;
  std::vector<long long> row(n);
  for (auto &number : row)
    if (!(answer >> number)) return 2;
  auto reject = [&](const std::string &message) {
    std::ofstream(std::string(argv[3]) + "judgemessage.txt") << message << '\n';
    return 43;
  };
  std::cout << n << std::endl;
  for (int questions = 0;; questions++) {
    std::string kind;
    if (!(std::cin >> kind)) return reject("the program ended without an answer");
    if (kind == "!") break;
    int left, right;
    if (kind != "?" || !(std::cin >> left >> right)) return reject("this is no question");
    if (left < 1 || left > right || right > n) return reject("this is no part of the row");
    if (questions == n) return reject("too many questions");
    long long sum = 0;
    for (int place = left; place <= right; place++) sum += row[place - 1];
    std::cout << sum << std::endl;
  }
  for (int place = 0; place < n; place++) {
    long long number;
    if (!(std::cin >> number)) return reject("the answer is too short");
    if (number != row[place]) return reject("number " + std::to_string(place + 1) + " is wrong");
  }
  std::string rest;
  return std::cin >> rest ? reject("there is more after the answer") : 42;
}
