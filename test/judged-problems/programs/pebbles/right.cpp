#include <iostream>

int main() {
  int heap, taken;
  std::cin >> heap;
  for (; heap > 0; heap -= taken) {
    std::cout << "  " << heap % 4 << "  \r" << std::endl;
    heap -= heap % 4;
    if (heap == 0 || !(std::cin >> taken)) break;
  }
}
