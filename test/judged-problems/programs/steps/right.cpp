#include <iostream>
#include <string>

int main() {
  int low = 1, high;
  std::string reply;
  std::cin >> high;
  while (reply != "found") {
    int middle = (low + high) / 2;
    std::cout << middle << std::endl;
    std::cin >> reply;
    if (reply == "more") low = middle + 1;
    if (reply == "less") high = middle - 1;
  }
}
