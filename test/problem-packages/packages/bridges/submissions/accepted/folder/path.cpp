#include <cstdio>

int main() {
  int islands;
  if (scanf("%d", &islands) != 1) return 1;
  for (int island = islands; island > 1; island--) printf("%d\t%d\r\n", island - 1, island);
}
