# Sourced by compose.sh: Docker with images and containers in a folder of its own, unless
# DOCKER_HOST names an engine.
storage=${IMAGE_STORAGE:-/var/tmp/judge-docker}
export DOCKER_BUILDKIT=0

start_engine() {
  [ -z "${DOCKER_HOST:-}" ] || return 0
  mkdir -p "$storage"
  # The limits of this process suffice, and a container may not be allowed to raise them.
  dockerd --data-root "$storage/data" --exec-root "$storage/run" --host "unix://$storage/docker.sock" \
    --pidfile "$storage/docker.pid" --default-ulimit "nofile=$(ulimit -Sn):$(ulimit -Hn)" \
    >"$storage/dockerd.log" 2>&1 &
  engine=$!
  export DOCKER_HOST=unix://$storage/docker.sock
  timeout 60 sh -c 'until docker info >/dev/null 2>&1; do sleep 0.5; done'
}

stop_engine() {
  [ -n "${engine:-}" ] || return 0
  kill "$engine" && wait "$engine" || true
  # Docker leaves this mount, which keeps its folder from being deleted.
  umount "$storage/run/netns/default" 2>/dev/null || true
}

# make_base FOLDER: the base image, from Debian's mirrors and npm. npm in the build trusts the
# certificates of this machine.
make_base() {
  debootstrap --variant=minbase --include=ca-certificates bookworm "$1" >/dev/null
  tools/image/add-node.sh "$1"
  cp /etc/ssl/certs/ca-certificates.crt "$1/usr/local/etc/build-certificates.crt"
  echo 'cafile=/usr/local/etc/build-certificates.crt' >"$1/usr/local/etc/npmrc"
  # Packages must not start servers in a build.
  printf '#!/bin/sh\nexit 101\n' >"$1/usr/sbin/policy-rc.d"
  chmod 0755 "$1/usr/sbin/policy-rc.d"
  tar -C "$1" -c . | docker import - node:20-bookworm-slim >/dev/null
}

# build NAME CONTEXT OPTION...: builds an image.
build() {
  docker build --quiet --network host --tag "$1" "${@:3}" "$2" >/dev/null
}

build_images() {
  local name
  docker image inspect node:20-bookworm-slim >/dev/null 2>&1 || make_base "$1"
  for name in postgres:15-bookworm rabbitmq:3-alpine caddy:2; do
    build "$name" tools/image/stand-ins --file "tools/image/stand-ins/${name%%:*}.Dockerfile"
  done
  for name in service worker all; do build "judge-data-layer:$name" . --target "$name"; done
}
