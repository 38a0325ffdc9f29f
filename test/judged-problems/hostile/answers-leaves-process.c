/* Reads the question, says 7 and leaves a process that keeps its streams open. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  for (int c = getchar(); c != '\n' && c != EOF; c = getchar()) continue;
  puts("7");
  fflush(stdout);
  if (fork() == 0) for (;;) pause();
  return 0;
}
