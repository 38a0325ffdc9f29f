#include <cstdio>

int main() {
  int doors, open;
  char end, more;
  if (scanf("%d %d%c", &doors, &open, &end) != 3 || end != '\n') return 43;
  if (scanf("%c", &more) == 1) return 43;
  return 1 <= open && open <= doors && doors <= 100 ? 42 : 43;
}
