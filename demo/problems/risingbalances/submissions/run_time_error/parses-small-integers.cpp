// Reads words and parses them with std::stoi, which throws for balances of more than 32 bits.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
  std::ios::sync_with_stdio(false);
  std::cin.tie(nullptr);
  int n;
  std::cin >> n;
  std::vector<int> ends;
  for (int day = 0; day < n; day++) {
    std::string word;
    std::cin >> word;
    int balance = std::stoi(word);
    auto place = std::lower_bound(ends.begin(), ends.end(), balance);
    if (place == ends.end()) ends.push_back(balance);
    else *place = balance;
  }
  std::cout << ends.size() << '\n';
}
