#include <iostream>

int main() {
  int islands;
  std::cin >> islands;
  for (int island = 2; island <= islands; island++) std::cout << island / 2 << ' ' << island << '\n';
}
