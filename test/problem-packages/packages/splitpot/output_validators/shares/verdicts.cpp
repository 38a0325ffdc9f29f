#include "verdicts.h"

#include <cstdlib>
#include <fstream>

void accept() { std::exit(42); }

void reject(const std::string& folder, const std::string& reason) {
  std::ofstream(folder + "judgemessage.txt") << reason << '\n';
  std::exit(43);
}
