// Waits with a child, blocking all signals or stopping both, so that neither can act on a signal.
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char way[8] = "";
  sigset_t all;
  sigfillset(&all);
  if (scanf("%7s", way) != 1) return 1;
  if (strcmp(way, "block") == 0) sigprocmask(SIG_BLOCK, &all, 0);
  fork();
  while (strcmp(way, "block") == 0) pause();
  for (;;) raise(SIGSTOP);
}
