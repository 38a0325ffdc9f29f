#include <iostream>

int main() {
  int length, lanterns = 0;
  std::cin >> length;
  for (int lit = 0; lit < length; lit += 2 * {{reach.value}}) lanterns++;
  std::cout << lanterns << '\n';
}
