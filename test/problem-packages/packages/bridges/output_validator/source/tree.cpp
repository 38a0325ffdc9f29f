#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <numeric>
#include <string>
#include <vector>

void reject(const std::string& folder, const std::string& reason) {
  std::ofstream(folder + "judgemessage.txt") << reason << '\n';
  std::exit(43);
}

int main(int argc, char** argv) {
  int most = 0;
  for (int i = 4; i + 1 < argc; i++)
    if (!std::strcmp(argv[i], "--most")) most = std::atoi(argv[i + 1]);
  if (most == 0) return 1;
  int islands;
  std::ifstream(argv[1]) >> islands;
  std::vector<int> parent(islands), bridges(islands);
  std::iota(parent.begin(), parent.end(), 0);
  std::function<int(int)> root = [&](int island) {
    return parent[island] == island ? island : parent[island] = root(parent[island]);
  };
  for (int bridge = 1; bridge < islands; bridge++) {
    int from, to;
    if (!(std::cin >> from >> to)) reject(argv[3], "too few bridges");
    if (from < 1 || to < 1 || from > islands || to > islands) reject(argv[3], "no such island");
    if (root(--from) == root(--to)) reject(argv[3], "a circle");
    parent[root(from)] = root(to);
    if (++bridges[from] > most || ++bridges[to] > most) reject(argv[3], "too many bridges on an island");
  }
  std::string rest;
  if (std::cin >> rest) reject(argv[3], "too many bridges");
  return 42;
}
