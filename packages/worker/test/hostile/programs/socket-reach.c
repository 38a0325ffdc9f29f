// Connects to the judge's own TCP port, UDP port and abstract socket, whose names it reads from
// stdin.
#include <arpa/inet.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static void try_tcp(const char *text, int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
  inet_pton(AF_INET, text, &address.sin_addr);
  int end = socket(AF_INET, SOCK_STREAM, 0);
  if (end >= 0 && connect(end, (void *)&address, sizeof address) == 0) printf("GAINED tcp %s\n", text);
  close(end);
}

static void try_tcp6(int port) {
  struct sockaddr_in6 address = {.sin6_family = AF_INET6, .sin6_port = htons(port), .sin6_addr = in6addr_loopback};
  int end = socket(AF_INET6, SOCK_STREAM, 0);
  if (end >= 0 && connect(end, (void *)&address, sizeof address) == 0) puts("GAINED tcp ::1");
  close(end);
}

static void try_abstract(const char *name, int type) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path + 1, name, sizeof address.sun_path - 2);
  int end = socket(AF_UNIX, type, 0);
  socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(name);
  if (end >= 0 && connect(end, (void *)&address, size) == 0) puts("GAINED abstract socket");
  close(end);
}

int main(void) {
  int port;
  char name[100];
  if (scanf("%d %99s", &port, name) != 2) return 1;
  try_tcp("127.0.0.1", port);
  try_tcp("127.0.0.2", port);
  try_tcp("0.0.0.0", port);
  try_tcp6(port);
  try_abstract(name, SOCK_STREAM);
  puts("done");
}
