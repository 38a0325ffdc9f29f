#include <iostream>
#include <string>

int main() {
  int door;
  std::string answer;
  std::cin >> door;
  do std::cout << door-- << std::endl;
  while (std::cin >> answer && answer != "open");
}
