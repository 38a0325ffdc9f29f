// Halves the joints, but gives up after ten tests.
#include <iostream>
#include <string>

int main() {
  int live = 1, dead, tests = 0;
  std::cin >> dead;
  while (dead - live > 1 && tests++ < 10) {
    int middle = (live + dead) / 2;
    std::cout << "? " << middle << std::endl;
    std::string state;
    std::cin >> state;
    if (state == "live") live = middle;
    else dead = middle;
  }
  std::cout << "! " << live << std::endl;
}
