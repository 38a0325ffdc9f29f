// Recurses without end and writes to every stack frame.
#include <string.h>

static int descend(int depth) {
  volatile char room[4096];
  memset((char *)room, depth, sizeof room);
  return descend(depth + 1) + room[depth % 4096];
}

int main(void) { return descend(0); }
