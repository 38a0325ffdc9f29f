// Blocks every signal in the parent and in a child, and waits for the child.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, 0);
  if (fork() == 0)
    for (;;) pause();
  wait(0);
}
