// Always continues from the junction improved last: correct, but exponential at worst.
#include <iostream>
#include <limits>
#include <utility>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n, m;
  std::cin >> n >> m;
  std::vector<std::vector<std::pair<int, long long>>> roads(n + 1);
  for (int road = 0; road < m; road++) {
    int a, b;
    long long length;
    std::cin >> a >> b >> length;
    roads[a].push_back({b, length});
    roads[b].push_back({a, length});
  }
  const long long unreached = std::numeric_limits<long long>::max();
  std::vector<long long> distance(n + 1, unreached);
  std::vector<char> waiting(n + 1, 0);
  std::vector<int> stack{1};
  distance[1] = 0;
  while (!stack.empty()) {
    int junction = stack.back();
    stack.pop_back();
    waiting[junction] = 0;
    for (auto [next, length] : roads[junction]) {
      if (distance[junction] + length >= distance[next]) continue;
      distance[next] = distance[junction] + length;
      if (!waiting[next]) stack.push_back(next);
      waiting[next] = 1;
    }
  }
  std::cout << (distance[n] == unreached ? -1 : distance[n]) << '\n';
}
