#!/usr/bin/env bash
# check.sh: runs every command of the images `localhost/judge:*` in containers of Podman, on this
# machine's network and RabbitMQ (AMQP_URL). Fails if one does not work. build.sh made the images.
set -euo pipefail
cd "$(dirname "$0")"

. ./podman.sh
amqp=${AMQP_URL:-amqp://guest:guest@127.0.0.1:5672}
run=check-$$
work=$(mktemp -d)
mkdir "$work/secrets" "$work/data"
chown 990:990 "$work/data"
port=$(node -e 's=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})')
url=http://127.0.0.1:$port
for name in jwt_signing_secret judge_password web_bridge_secret; do
  head -c 24 /dev/urandom | base64 >"$work/secrets/$name"
done
password='password of the check'

clean_up() {
  engine rm --force --ignore --time 5 "$run-service" "$run-worker" "$run-all" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap clean_up EXIT

fail() {
  echo "FAILED: $1" >&2
  for name in service worker all; do engine logs --tail 20 "$run-$name" >&2 2>/dev/null || true; done
  exit 1
}

passed() { echo "works: $1"; }

# What compose.yaml gives the worker. Podman calls systempaths=unconfined unmask=ALL.
sandbox=(--cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt unmask=ALL
  --cgroupns private --tmpfs "/tmp:size=2g,mode=1777,exec")
# Without systemd Podman has no timer for health checks: this script runs them. The limits of this
# process suffice, and a container may not be allowed to raise them.
common=(--network host --no-healthcheck --ulimit "nofile=$(ulimit -Sn):$(ulimit -Hn)"
  --ulimit nproc=20000:20000 --env "PORT=$port" --env HOST=127.0.0.1 --env "AMQP_URL=$amqp"
  --env "AMQP_QUEUE=$run" --env "JUDGE_API_URL=$url" --env WORKER_CONCURRENCY=1
  --env "JWT_SIGNING_SECRET=$(cat "$work/secrets/jwt_signing_secret")"
  --env "JUDGE_PASSWORD=$(cat "$work/secrets/judge_password")"
  --env "WEB_BRIDGE_SECRET=$(cat "$work/secrets/web_bridge_secret")"
  --volume "$work/data:/var/lib/judge/data")

once() { engine run --rm --interactive "${common[@]}" "$@"; }

# start NAME OPTION...: a container in the background.
start() { engine run --detach --name "$run-$1" "${common[@]}" "${@:2}" >/dev/null || fail "start of $1"; }

wait_until_healthy() {
  for _ in $(seq 120); do
    engine exec "$run-$1" node /app/deploy/image/health-check.js >/dev/null 2>&1 && return
    [ "$(engine inspect --format '{{.State.Running}}' "$run-$1")" = true ] || fail "$1 has ended"
    sleep 0.5
  done
  fail "$1 is not healthy"
}

# expect_unhealthy NAME TEXT OPTION...: the health check fails with this text.
expect_unhealthy() {
  local output
  ! output=$(engine exec "${@:3}" "$run-$1" node /app/deploy/image/health-check.js 2>&1) || fail "health of $1"
  grep -q "$2" <<<"$output" || fail "health of $1 printed: $output"
}

# expect_user NAME PATTERN ID: a process of the container runs as the user with this id.
expect_user() {
  local found
  found=$(engine exec "$run-$1" sh -c '
    for folder in /proc/[0-9]*; do
      tr "\0" " " <"$folder/cmdline" 2>/dev/null | grep -q "$1" && stat -c %u "$folder" || true
    done' sh "$2" | sort -u)
  grep -qx "$3" <<<"$found" || fail "$1 runs as ${found:-nobody}, not as $3"
}

expect_clean_stop() {
  engine stop --time 20 "$run-$1" >/dev/null
  local code
  code=$(engine inspect --format '{{.State.ExitCode}}' "$run-$1")
  [ "$code" = 0 ] || fail "$1 ended with $code after SIGTERM"
  engine rm "$run-$1" >/dev/null
  passed "SIGTERM ends $1 with exit code 0"
}

check_accounts() {
  once localhost/judge:service migrate | grep 'Applied migrations' >/dev/null || fail migrate
  passed migrate
  echo "$password" | once localhost/judge:service admin create --name Ada --email ada@example.org --admin \
    --password-stdin | grep 'Created the admin' >/dev/null || fail 'admin create'
  passed 'admin create'
  # As root the entry point becomes the service's user: the files stay its own.
  once --user root localhost/judge:service migrate | grep 'up to date' >/dev/null || fail 'migrate as root'
  [ -z "$(find "$work/data" -not -user 990)" ] || fail 'migrate as root left files of root'
  passed 'migrate as root runs as SERVICE_USER'
}

check_service() {
  start service localhost/judge:service
  wait_until_healthy service
  expect_user service '^node.*dist/src/main.js' 990
  expect_unhealthy service 'does not respond' --env PORT=1
  passed 'service answers /ready as user 990, and its health check sees a closed port'
}

check_worker() {
  start worker "${sandbox[@]}" localhost/judge:worker
  wait_until_healthy worker
  expect_user worker '^node packages/worker' 0
  expect_unhealthy worker 'not connected' --env AMQP_URL=amqp://127.0.0.1:1
  judge_programs
  passed "worker judges in a container ($(engine logs "$run-worker" 2>&1 | grep -o '"isolation":"[^"]*"'))"
  # Without each part the worker must say what is missing.
  expect_refusal '--cap-add=SYS_ADMIN' --security-opt seccomp=unconfined --security-opt unmask=ALL
  expect_refusal 'systempaths=unconfined' --cap-add SYS_ADMIN --security-opt seccomp=unconfined
}

judge_programs() {
  EMAIL=ada@example.org PASSWORD=$password node judge-one.js "$url" C C++ Java JavaScript Python || fail judging
}

# expect_refusal TEXT OPTION...: the worker does not start, and its message has the text.
expect_refusal() {
  local output
  ! output=$(once "${@:2}" localhost/judge:worker 2>&1) || fail "the worker starts without $1"
  grep -q -e "$1" <<<"$output" || fail "the worker without $1 printed: $output"
  passed "the worker names $1 where it is missing"
}

check_command_line() {
  once localhost/judge:service judge --help | grep Usage >/dev/null || fail 'judge --help'
  echo "$password" | once localhost/judge:service judge login --url "$url" --email ada@example.org --password-stdin ||
    fail 'judge login'
  passed 'judge --help and judge login'
}

check_all() {
  start all "${sandbox[@]}" localhost/judge:all
  wait_until_healthy all
  expect_user all '^[^ ]*node .*dist/src/main.js' 990
  judge_programs
  passed 'all judges in one container'
  expect_clean_stop all
}

check_accounts
check_service
check_command_line
check_worker
expect_clean_stop worker
expect_clean_stop service
if once --entrypoint grep localhost/judge:all -q -e --judge dist/src/main.js; then check_all
else echo 'not run: all (this version of the service has no --judge)'; fi
echo 'All commands of the images work.'
