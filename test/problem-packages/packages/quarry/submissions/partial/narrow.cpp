#include <algorithm>
#include <functional>
#include <iostream>
#include <vector>

int main() {
  int count, chosen;
  std::cin >> count >> chosen;
  std::vector<int> weights(count);
  for (auto& weight : weights) std::cin >> weight;
  std::sort(weights.begin(), weights.end(), std::greater<>());
  unsigned sum = 0;
  for (int i = 0; i < chosen; i++) sum += weights[i];
  std::cout << static_cast<int>(sum) << '\n';
}
