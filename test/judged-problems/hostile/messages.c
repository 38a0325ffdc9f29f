/* Leaves something else than a text file as both messages, and rejects the output. */
#include <sys/stat.h>
#include <unistd.h>

#include "mode.h"

int main(int argc, char *argv[]) {
  const char *names[] = {"judgemessage.txt", "teammessage.txt"};
  read_mode(argc, argv);
  for (int i = 0; i < 2; i++) {
    char path[4096];
    int failed = 0;
    snprintf(path, sizeof path, "%s%s", argv[3], names[i]);
    if (is("link-answer")) failed = symlink(argv[2], path);
    if (is("link-passwd")) failed = symlink("/etc/passwd", path);
    if (is("link-process")) failed = symlink("/proc/self/environ", path);
    if (is("link-above")) failed = symlink("../../../../../../../../../etc/passwd", path);
    if (is("link-itself")) failed = symlink(names[i], path);
    if (is("fifo")) failed = mkfifo(path, 0666);
    if (is("folder")) failed = mkdir(path, 0777);
    if (is("closed")) leave(argv[3], names[i], "a message without permissions"), failed = chmod(path, 0);
    if (is("sparse")) leave(argv[3], names[i], ""), failed = truncate(path, 512 << 10);
    if (is("binary")) {
      FILE *file = fopen(path, "w");
      if (!file) return 98;
      for (int byte = 0; byte < 256; byte++) fputc(byte, file);
      fclose(file);
    }
    if (failed) return 96;
  }
  return 43;
}
