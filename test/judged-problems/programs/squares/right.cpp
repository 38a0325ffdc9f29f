#include <cmath>
#include <iostream>

int main() {
  int n;
  std::cin >> n;
  for (int a = 0; a * a <= n; a++)
    for (int b = a; a * a + b * b <= n; b++)
      for (int c = b; a * a + b * b + c * c <= n; c++) {
        int rest = n - a * a - b * b - c * c, d = std::lround(std::sqrt(rest));
        if (d * d != rest) continue;
        std::cout << a << ' ' << b << ' ' << c << ' ' << d << '\n';
        return 0;
      }
}
