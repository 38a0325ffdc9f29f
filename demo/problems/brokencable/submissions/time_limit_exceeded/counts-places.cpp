// Looks for the joint that halves the places best: it counts the places for each joint, O(n^2).
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

int main() {
  int n;
  std::cin >> n;
  std::vector<int> places;
  for (int place = 1; place < n; place++) places.push_back(place);
  while (places.size() > 1) {
    int best = 0;
    size_t most = 0;
    for (int joint : places) {
      size_t live = 0;
      for (int place : places) live += place >= joint;
      size_t removed = std::min(live, places.size() - live);
      if (removed > most) {
        most = removed;
        best = joint;
      }
    }
    std::cout << "? " << best << std::endl;
    std::string state;
    std::cin >> state;
    bool live = state == "live";
    auto isOut = [&](int place) { return (place >= best) != live; };
    places.erase(std::remove_if(places.begin(), places.end(), isOut), places.end());
  }
  std::cout << "! " << places[0] << std::endl;
}
