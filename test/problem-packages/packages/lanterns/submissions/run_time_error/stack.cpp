#include <iostream>

int light(int length) {
  if (length > 900) throw length;
  return length <= 0 ? 0 : 1 + light(length - 4);
}

int main() {
  int length;
  std::cin >> length;
  std::cout << light(length) << '\n';
}
