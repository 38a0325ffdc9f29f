// Starts threads that never end until the kernel refuses, and ends while they run.
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <unistd.h>

static void *wait_forever(void *) {
  for (;;) pause();
}

int main() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 65536);
  int started = 0;
  pthread_t thread;
  while (started < 1000 && pthread_create(&thread, &attributes, wait_forever, nullptr) == 0) started++;
  if (started == 1000) puts("GAINED 1000 threads");
  puts("done");
  fflush(stdout);
  _exit(0);
}
