#include <algorithm>
#include <functional>
#include <iostream>
#include <numeric>
#include <vector>

int main() {
  int count, chosen;
  std::cin >> count >> chosen;
  std::vector<long long> weights(count);
  for (auto& weight : weights) std::cin >> weight;
  std::sort(weights.begin(), weights.end(), std::greater<>());
  std::cout << std::accumulate(weights.begin(), weights.begin() + chosen, 0LL) << '\n';
}
