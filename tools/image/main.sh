#!/usr/bin/env bash
# npm run image [-- --check | --compose]: builds the images, and runs their commands or the compose
# files.
set -euo pipefail
cd "$(dirname "$0")"

case ${1:-} in
  '') ./build.sh ;;
  --check) ./build.sh && ./check.sh ;;
  --compose) ./compose.sh ;;
  *) echo 'usage: npm run image [-- --check | --compose]' >&2; exit 64 ;;
esac
