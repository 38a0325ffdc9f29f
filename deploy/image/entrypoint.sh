#!/bin/sh
# Starts one command of the image. Every command replaces this shell, so that signals reach it.
set -eu
cd "$(dirname "$0")/../.."
# Of the worker's /health, on 127.0.0.1; health-check.js has the same number.
worker_port=9101

usage() {
  cat >&2 <<'END'
Commands: service | worker | all | migrate | admin ARGUMENT... | judge ARGUMENT...
As root, all but the worker run as SERVICE_USER.
END
  exit 64
}

# run_as_service_user COMMAND...: a process that is root becomes SERVICE_USER.
run_as_service_user() {
  [ "$(id -u)" = 0 ] || exec "$@"
  user=${SERVICE_USER:-judge}
  HOME=$(getent passwd "$user" | cut -d: -f6)
  export HOME
  exec setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups --inh-caps=-all -- "$@"
}

# Each run of a program leaves a process that the container's first process must collect. Node.js
# collects only its own children. tini collects all, and passes signals on.
start_below_init() {
  [ $$ != 1 ] || exec tini -- "$PWD/deploy/image/entrypoint.sh" "$@"
}

# Engines mount control groups read-only. With CAP_SYS_ADMIN they can be made writable, and only
# this container's own are visible. Without it the worker says what is missing.
make_cgroups_writable() {
  while read -r _ place type options _; do
    case $type,$options in
      cgroup,ro,* | cgroup2,ro,*) mount -o remount,bind,rw "$place" 2>/dev/null || true ;;
    esac
  done </proc/self/mounts
}

prepare_sandbox() {
  [ "$(id -u)" = 0 ] || return 0
  make_cgroups_writable
  deploy/image/hand-controllers-down.sh /sys/fs/cgroup memory pids
}

command=${1:-}
case $command in
  worker | all)
    start_below_init "$@"
    prepare_sandbox
    ;;
esac
[ $# -eq 0 ] || shift
case $command in
  service) run_as_service_user node --max-semi-space-size=16 dist/src/main.js "$@" ;;
  migrate) run_as_service_user node dist/src/migrate.js "$@" ;;
  admin) run_as_service_user node dist/src/admin.js "$@" ;;
  judge) run_as_service_user node packages/cli/bin/judge.js "$@" ;;
  worker)
    export METRICS_PORT="${METRICS_PORT:-$worker_port}"
    exec node packages/worker/dist/main.js "$@"
    ;;
  all)
    export WORKER_METRICS_PORT="${WORKER_METRICS_PORT:-$worker_port}"
    exec node --max-semi-space-size=16 dist/src/main.js --judge "$@"
    ;;
  *) usage ;;
esac
