#include <iostream>
#include <string>

int main() {
  int low = 1, high = 1000;
  std::string answer;
  do {
    const int room = (low + high) / 2;
    std::cout << room << std::endl;
    if (!(std::cin >> answer)) return 1;
    if (answer == "higher") low = room + 1;
    if (answer == "lower") high = room - 1;
  } while (answer != "here");
}
