// Accepts two primes with the sum n.
#include "testlib.h"

bool isPrime(int number) {
  for (int divisor = 2; divisor * divisor <= number; divisor++)
    if (number % divisor == 0) return false;
  return number > 1;
}

int main(int argc, char *argv[]) {
  setName("two primes with the sum n");
  registerTestlibCmd(argc, argv);
  int n = inf.readInt();
  int one = ouf.readInt(2, n, "the first prime");
  int other = ouf.readInt(2, n, "the second prime");
  if (one + other != n) quitf(_wa, "the sum is %d, not %d", one + other, n);
  for (int number : {one, other})
    if (!isPrime(number)) quitf(_wa, "%d is no prime", number);
  quitf(_ok, "%d and %d", one, other);
}
