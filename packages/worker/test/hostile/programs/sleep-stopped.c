// Stops itself and its child, so that neither can act on a signal.
#include <signal.h>
#include <unistd.h>

int main(void) {
  fork();
  for (;;) raise(SIGSTOP);
}
