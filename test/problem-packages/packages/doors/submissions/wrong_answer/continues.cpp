#include <iostream>
#include <string>

int main() {
  int doors;
  std::string answer;
  std::cin >> doors;
  for (int door = 1; door <= doors && std::cin; door++) {
    std::cout << door << std::endl;
    std::cin >> answer;
  }
  std::cout << "done" << std::endl;
}
