#include <cstdio>

int main() {
  char name[100];
  int count, cents;
  while (scanf("%99s %d %d", name, &count, &cents) == 3) printf("%s  %.2f\n", name, count * cents / 100.0);
}
