/* Ends with the exit code in the input file, or never. */
#include <signal.h>
#include <unistd.h>

#include "mode.h"

int main(int argc, char *argv[]) {
  read_mode(argc, argv);
  if (is("abort")) abort();
  if (is("stop")) raise(SIGSTOP);
  if (is("sleep")) sleep(100000);
  if (is("spin")) for (volatile int i = 0;; i++) continue;
  if (is("memory")) for (;;) memset(malloc(1 << 20), 1, 1 << 20);
  return atoi(mode);
}
