// The same as validate.py with the flag "score", but for the testlib protocol.
#include <algorithm>
#include <vector>

#include "testlib.h"

int main(int argc, char *argv[]) {
  setName("packing");
  registerTestlibCmd(argc, argv);
  int limit = inf.readInt(), best = ans.readInt();
  std::vector<int> numbers;
  while (!inf.seekEof()) numbers.push_back(inf.readInt());
  int sum = 0;
  while (!ouf.seekEof()) {
    int number = ouf.readInt();
    auto place = std::find(numbers.begin(), numbers.end(), number);
    if (place == numbers.end()) quitf(_wa, "%d is not left", number);
    numbers.erase(place);
    sum += number;
  }
  if (sum > limit) quitf(_wa, "%d is more than %d", sum, limit);
  quitp(sum * 10 / best, "%d of %d", sum, best);
}
