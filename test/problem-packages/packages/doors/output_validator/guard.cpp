#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

void reject(const std::string& folder, const std::string& reason) {
  std::ofstream(folder + "judgemessage.txt") << reason << '\n';
  std::exit(43);
}

int main(int, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  std::ifstream input(argv[1]);
  int doors, open;
  input >> doors >> open;
  std::cout << doors << std::endl;
  std::set<int> pushed;
  for (;;) {
    int door;
    if (!(std::cin >> door)) reject(argv[3], "no number");
    if (door < 1 || door > doors) reject(argv[3], "no such door");
    if (!pushed.insert(door).second) reject(argv[3], "pushed twice");
    if (door == open) break;
    std::cout << "closed" << std::endl;
  }
  std::cout << "open" << std::endl;
  std::string rest;
  if (std::cin >> rest) reject(argv[3], "goes on after the open door");
  return 42;
}
