// Makes 32-bit system calls from a 64-bit program: their numbers mean other calls.
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>

static sigjmp_buf before;

static void go_on(int signal) {
  (void)signal;
  siglongjmp(before, 1);
}

static long call32(long number, long first) {
  long result = -1;
  if (sigsetjmp(before, 1) != 0) return -1;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(0L), "d"(0L) : "memory", "r8", "r9", "r10", "r11");
  return (int)result;
}

int main(void) {
  signal(SIGSEGV, go_on);
  signal(SIGSYS, go_on);
  if (call32(20, 0) > 0) puts("GAINED getpid by a 32-bit call");
  if (call32(310, 0x10000000) == 0) puts("GAINED a user namespace by a 32-bit call");
  if (call32(288, 0) > 0) puts("GAINED a keyring by a 32-bit call");
  puts("done");
}
