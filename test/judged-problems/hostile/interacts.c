/* An interactor; the input file has its mode. The honest one wants the number 7. */
#include <signal.h>
#include <unistd.h>

#include "mode.h"

static int judge(void) {
  int number;
  return scanf("%d", &number) == 1 && number == 7 ? 42 : 43;
}

int main(int argc, char *argv[]) {
  static char block[1 << 16];
  read_mode(argc, argv);
  memset(block, '1', sizeof block - 1);
  setvbuf(stdout, NULL, _IONBF, 0);
  if (is("accepts-at-once")) return 42;
  if (is("rejects-at-once")) return 43;
  if (is("fails-at-once")) return 1;
  if (is("never-writes")) return judge();
  if (is("never-reads")) for (;;) pause();
  if (is("writes-for-ever")) for (;;) fputs(block, stdout);
  if (is("ignores-sigpipe")) {
    signal(SIGPIPE, SIG_IGN);
    for (;;) fputs(block, stdout);
  }
  if (is("reads-for-ever")) while (fread(block, 1, sizeof block, stdin) > 0) continue;
  if (is("leaves-process") && fork() == 0) for (;;) pause();
  if (is("spins")) for (volatile int i = 0;; i++) continue;
  if (is("writes-to-ended")) {
    while (getchar() != EOF) continue;
    for (int i = 0; i < 100; i++) fputs(block, stdout);
    return 1;
  }
  /* In one write: a program may end after a part of it, and SIGPIPE would end this one. */
  fputs("guess\n", stdout);
  return judge();
}
