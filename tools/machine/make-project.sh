#!/usr/bin/env bash
# make-project.sh FOLDER DISK: writes the installed project in FOLDER to a new disk. If the folder
# does not exist, it becomes a clone of the last commit, installed as the documents say.
set -euo pipefail
cd "$(dirname "$0")/../.."

folder=$1 disk=$2
# For the files that the steps write.
spare_mib=1024
if [ ! -d "$folder" ]; then
  umask 022
  echo 'Installing the project …' >&2
  git clone --quiet . "$folder"
  (cd "$folder" && npm ci --silent >&2)
fi
[ -f "$folder/dist/src/main.js" ] || { echo "$folder has no build: run npm ci there" >&2; exit 1; }
truncate -s "$(($(du -sm "$folder" | cut -f 1) * 5 / 4 + spare_mib))M" "$disk"
mkfs.ext4 -q -L judge-project -d "$folder" "$disk"
