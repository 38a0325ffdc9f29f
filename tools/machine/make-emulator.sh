#!/usr/bin/env bash
# make-emulator.sh: prints the folder with QEMU of Debian 13 and its libraries; makes it if it does
# not exist. README.md says why QEMU of Debian 12 does not do.
set -euo pipefail

cache=${MACHINE_CACHE:-/var/tmp/judge-machine}
folder=$cache/emulator-trixie
if [ ! -d "$folder" ]; then
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/making.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  echo 'Making a folder with QEMU, which takes some minutes …' >&2
  unshare --mount -- debootstrap --variant=minbase --include=qemu-system-x86 trixie "$work/root" \
    >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
  rm -rf "$work/root/var/cache/apt"
  mv -T "$work/root" "$folder" || [ -d "$folder" ]
fi
echo "$folder"
