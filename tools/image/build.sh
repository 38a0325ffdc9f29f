#!/usr/bin/env bash
# Builds the images localhost/judge:service, :worker and :all with Podman from the Dockerfile. The
# base image comes from Debian's mirrors and npm, so no container registry is needed. Needs root and
# the packages podman, runc and debootstrap.
set -euo pipefail
cd "$(dirname "$0")/../.."

. tools/image/podman.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

make_base() {
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/root" >/dev/null
  tools/image/add-node.sh "$work/root"
  tar -C "$work/root" -c . | engine import - localhost/judge-base:20 >/dev/null
}

[ "$(id -u)" = 0 ] || { echo 'build.sh needs root' >&2; exit 1; }
engine image exists localhost/judge-base:20 || make_base
# npm in the build trusts the certificates of this machine; they do not get into the image.
echo 'cafile=/usr/local/etc/build-certificates.crt' >"$work/npmrc"
for target in service worker all; do
  engine build --format docker --network host --target "$target" --tag "localhost/judge:$target" \
    --volume /etc/ssl/certs/ca-certificates.crt:/usr/local/etc/build-certificates.crt:ro \
    --volume "$work/npmrc:/usr/local/etc/npmrc:ro" \
    --build-arg NODE_IMAGE=localhost/judge-base:20 \
    --build-arg "REVISION=$(git rev-parse HEAD)" \
    --build-arg "VERSION=$(node -p 'require("./package.json").version')" .
done
