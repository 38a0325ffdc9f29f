#include "lamps.h"

int countLanterns(int length) { return (length + LIT - 1) / LIT; }
