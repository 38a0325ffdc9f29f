// Halves the joints between the last known live one and the first known dead one.
#include <iostream>
#include <string>

int main() {
  int live = 1, dead;
  std::cin >> dead;
  while (dead - live > 1) {
    int middle = (live + dead) / 2;
    std::cout << "? " << middle << std::endl;
    std::string state;
    std::cin >> state;
    if (state == "live") live = middle;
    else dead = middle;
  }
  std::cout << "! " << live << std::endl;
}
