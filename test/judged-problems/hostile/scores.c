/* Leaves score files that the format forbids. */
#include <sys/stat.h>
#include <unistd.h>

#include "mode.h"

int main(int argc, char *argv[]) {
  read_mode(argc, argv);
  if (is("rejected")) {
    leave(argv[3], "score.txt", "1\n");
    return 43;
  }
  if (is("both") || is("score")) leave(argv[3], "score.txt", "1\n");
  if (is("both")) leave(argv[3], "score_multiplier.txt", "1\n");
  if (is("above")) leave(argv[3], "score.txt", "10.5\n");
  if (is("negative")) leave(argv[3], "score.txt", "-1\n");
  if (is("multiplier-above")) leave(argv[3], "score_multiplier.txt", "1.5\n");
  if (is("word")) leave(argv[3], "score.txt", "ten\n");
  if (is("two-numbers")) leave(argv[3], "score_multiplier.txt", "0 1\n");
  if (is("empty")) leave(argv[3], "score.txt", "");
  if (is("infinite")) leave(argv[3], "score.txt", "inf\n");
  if (is("link")) leave(argv[3], "real", "1\n");
  if (is("link") && (chdir(argv[3]) || symlink("real", "score.txt"))) return 96;
  if (is("folder") && (chdir(argv[3]) || mkdir("score_multiplier.txt", 0777))) return 96;
  return 42;
}
