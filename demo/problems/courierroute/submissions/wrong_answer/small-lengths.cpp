// Dijkstra's algorithm, but a long route overflows the int that holds its length.
#include <functional>
#include <iostream>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n, m;
  std::cin >> n >> m;
  std::vector<std::vector<std::pair<int, int>>> roads(n + 1);
  for (int road = 0; road < m; road++) {
    int a, b, length;
    std::cin >> a >> b >> length;
    roads[a].push_back({b, length});
    roads[b].push_back({a, length});
  }
  const int unreached = std::numeric_limits<int>::max();
  std::vector<int> distance(n + 1, unreached);
  std::vector<char> done(n + 1, 0);
  using Entry = std::pair<int, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  distance[1] = 0;
  queue.push({0, 1});
  while (!queue.empty()) {
    int junction = queue.top().second;
    queue.pop();
    if (done[junction]) continue;
    done[junction] = 1;
    for (auto [next, length] : roads[junction]) {
      if (done[next] || distance[junction] + length >= distance[next]) continue;
      distance[next] = distance[junction] + length;
      queue.push({distance[next], next});
    }
  }
  std::cout << (distance[n] == unreached ? -1 : distance[n]) << '\n';
}
