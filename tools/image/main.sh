#!/usr/bin/env bash
# npm run image [-- --check]: builds the images, and runs their commands.
set -euo pipefail
cd "$(dirname "$0")"

case ${1:-} in
  '') ./build.sh ;;
  --check) ./build.sh && ./check.sh ;;
  *) echo 'usage: npm run image [-- --check]' >&2; exit 64 ;;
esac
