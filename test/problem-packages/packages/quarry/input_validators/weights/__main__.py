import sys

import reader

sys.exit(reader.check(sys.argv[1], sys.stdin.read()))
