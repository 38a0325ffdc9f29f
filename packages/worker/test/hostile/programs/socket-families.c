// Asks for sockets of every family; only AF_UNIX, AF_INET and AF_INET6 are allowed, and no raw
// ones.
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static void expect_refusal(const char *name, int family, int type, int result) {
  if (result >= 0) printf("GAINED %s of family %d, type %d\n", name, family, type);
  else if (errno != EPERM) printf("%s of family %d, type %d: error %d\n", name, family, type, errno);
}

int main(void) {
  int ends[2];
  for (int family = 0; family < 64; family++) {
    if (family == AF_UNIX || family == AF_INET || family == AF_INET6) continue;
    for (int type = SOCK_STREAM; type <= SOCK_SEQPACKET; type++) {
      expect_refusal("socket", family, type, socket(family, type, 0));
      expect_refusal("socketpair", family, type, socketpair(family, type, 0, ends));
    }
    expect_refusal("socket", family, SOCK_RAW | SOCK_CLOEXEC, socket(family, SOCK_RAW | SOCK_CLOEXEC, 0));
  }
  expect_refusal("raw socket", AF_INET, SOCK_RAW, socket(AF_INET, SOCK_RAW, IPPROTO_ICMP));
  expect_refusal("raw socket", AF_INET, SOCK_RAW, socket(AF_INET, SOCK_RAW, IPPROTO_RAW));
  expect_refusal("raw socket", AF_INET6, SOCK_RAW, socket(AF_INET6, SOCK_RAW, IPPROTO_ICMPV6));
  if (socket(AF_UNIX, SOCK_STREAM, 0) < 0 || socket(AF_INET, SOCK_DGRAM, 0) < 0) puts("no socket at all");
  puts("done");
}
