// Takes the most frequent letter left that differs from the last one.
#include <array>
#include <iostream>
#include <string>

int main() {
  std::string word, output;
  std::cin >> word;
  std::array<int, 256> left{};
  for (unsigned char letter : word) left[letter]++;
  while (output.size() < word.size()) {
    int best = -1;
    for (int letter = 255; letter >= 0; letter--)
      if (left[letter] && (output.empty() || output.back() != char(letter)) && (best < 0 || left[letter] > left[best]))
        best = letter;
    if (best < 0) {
      std::cout << "impossible\n";
      return 0;
    }
    left[best]--;
    output += char(best);
  }
  std::cout << output << "\n";
}
