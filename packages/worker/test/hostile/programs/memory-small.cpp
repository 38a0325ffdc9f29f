// Takes memory in many small pieces without end.
#include <map>
#include <string>

int main() {
  std::map<long, std::string> all;
  for (long key = 0;; key++) all[key] = std::string(40, 'x');
}
