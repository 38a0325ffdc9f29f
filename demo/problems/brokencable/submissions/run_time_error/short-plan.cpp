// Plans the lengths of ten steps, which are enough for 1024 joints: at() throws for the eleventh.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
  const std::vector<int> steps{512, 256, 128, 64, 32, 16, 8, 4, 2, 1};
  int live = 1, dead, tests = 0;
  std::cin >> dead;
  while (dead - live > 1) {
    int tested = live + std::min(steps.at(tests), (dead - live) / 2);
    tests++;
    std::cout << "? " << tested << std::endl;
    std::string state;
    std::cin >> state;
    if (state == "live") live = tested;
    else dead = tested;
  }
  std::cout << "! " << live << std::endl;
}
