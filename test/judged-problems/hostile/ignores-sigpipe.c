/* Writes for ever, also when nobody can read it. */
#include <signal.h>
#include <stdio.h>

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  for (;;) puts("1111111111111111111111111111111111111111111111111111111111111111111111");
}
