// Makes system calls by their x32 numbers, which a filter of 64-bit numbers does not know.
#include <stdio.h>
#include <unistd.h>

#define X32 0x40000000L

int main(void) {
  long calls[] = {39, 41, 101, 250, 272, 317, 512, 521};
  for (int i = 0; i < 8; i++)
    if (syscall(X32 | calls[i], 0, 0, 0, 0, 0, 0) >= 0) printf("GAINED x32 call %ld\n", calls[i]);
  puts("done");
}
