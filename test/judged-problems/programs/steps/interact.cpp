// A hidden number from 1 to n. Answers each guess with "more", "less" or "found", at most "most"
// times. The input file holds n and most, the answer file the number.
#include "testlib.h"

int main(int argc, char *argv[]) {
  setName("a hidden number");
  registerInteraction(argc, argv);
  int n = inf.readInt(), most = inf.readInt(), hidden = ans.readInt(1, n, "the hidden number");
  std::cout << n << std::endl;
  for (int guesses = 1; guesses <= most; guesses++) {
    int guess = ouf.readInt(1, n, "the guess");
    std::cout << (guess == hidden ? "found" : guess < hidden ? "more" : "less") << std::endl;
    tout << guess << std::endl;
    if (guess == hidden) quitf(_ok, "found with %d guesses", guesses);
  }
  quitf(_wa, "not found with %d guesses", most);
}
