// Kills its process group; the judge must not be in it.
#include <signal.h>
#include <unistd.h>

int main(void) {
  fork();
  kill(0, SIGKILL);
  for (;;) pause();
}
