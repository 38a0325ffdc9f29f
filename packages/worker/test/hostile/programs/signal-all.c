// Sends signals to every process that it may reach, to the first process and to the judge's, whose
// number it reads.
#include <signal.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void) {
  int port, judge;
  char name[100];
  if (scanf("%d %99s %d", &port, name, &judge) != 3) return 1;
  int signals[] = {SIGTERM, SIGHUP, SIGSTOP, SIGSEGV, SIGXCPU, SIGKILL};
  for (int i = 0; i < (int)(sizeof signals / sizeof *signals); i++) {
    kill(-1, signals[i]);
    kill(1, signals[i]);
    syscall(SYS_tgkill, 1, 1, signals[i]);
    if (kill(judge, signals[i]) == 0) puts("GAINED a signal to the judge");
    if (syscall(SYS_tgkill, judge, judge, signals[i]) == 0) puts("GAINED a thread signal to the judge");
    sigqueue(1, signals[i], (union sigval){0});
  }
  puts("done");
}
