#include <iostream>

bool isPrime(int number) {
  for (int divisor = 2; divisor * divisor <= number; divisor++)
    if (number % divisor == 0) return false;
  return number > 1;
}

int main() {
  int n, prime = 2;
  std::cin >> n;
  while (!isPrime(prime) || !isPrime(n - prime)) prime++;
  std::cout << prime << " " << n - prime << "\n";
}
