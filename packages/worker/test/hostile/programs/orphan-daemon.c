// Leaves a daemon: a new session, no terminal, no open file, no environment and another name.
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count > 1)
    for (;;) pause();
  if (fork() == 0) {
    setsid();
    signal(SIGHUP, SIG_IGN);
    if (fork() != 0) _exit(0);
    for (int file = 0; file < 1024; file++) close(file);
    char *words[] = {"kworker", "hostile", 0}, *nothing[] = {0};
    execve("/proc/self/exe", words, nothing);
  }
  (void)arguments;
  puts("done");
}
