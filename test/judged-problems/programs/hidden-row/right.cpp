// Asks for the sums from the left end.
#include <iostream>
#include <vector>

int main() {
  int n;
  std::cin >> n;
  std::vector<long long> sums{0};
  for (int place = 1; place <= n; place++) {
    long long sum;
    std::cout << "? 1 " << place << std::endl;
    std::cin >> sum;
    sums.push_back(sum);
  }
  std::cout << "!";
  for (int place = 1; place <= n; place++) std::cout << ' ' << sums[place] - sums[place - 1];
  std::cout << std::endl;
}
