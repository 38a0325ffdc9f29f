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
find_port() {
  node -e 's=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'
}
port=$(find_port) worker_port=$(find_port)
url=http://127.0.0.1:$port
for name in jwt_signing_secret judge_password web_bridge_secret; do
  head -c 24 /dev/urandom | base64 >"$work/secrets/$name"
done
echo "$amqp" >"$work/secrets/amqp_url"
chmod 444 "$work"/secrets/*
password='password of the check'

clean_up() {
  engine rm --force --ignore --time 5 "$run-service" "$run-worker" "$run-init" "$run-all" >/dev/null 2>&1 || true
  delete_queue || echo "could not delete the queue $run of $amqp" >&2
  rm -rf "$work"
}
trap clean_up EXIT

fail() {
  echo "FAILED: $1" >&2
  for name in service worker init all; do engine logs --tail 20 "$run-$name" >&2 2>/dev/null || true; done
  exit 1
}

passed() { echo "works: $1"; }

# What compose.yaml gives the worker. Podman calls systempaths=unconfined unmask=ALL.
sandbox=(--cap-add SYS_ADMIN --security-opt seccomp=unconfined --security-opt unmask=ALL
  --cgroupns private --tmpfs "/tmp:size=2g,mode=1777,exec")
# Without systemd Podman has no timer for health checks: this script runs them. The limits of this
# process suffice, and a container may not be allowed to raise them.
common=(--network host --no-healthcheck --ulimit "nofile=$(ulimit -Sn):$(ulimit -Hn)"
  --ulimit nproc=20000:20000 --env "PORT=$port" --env HOST=127.0.0.1
  --env JUDGE_PASSWORD_FILE=/run/secrets/judge_password --volume "$work/secrets:/run/secrets:ro")
service=(--env JWT_SIGNING_SECRET_FILE=/run/secrets/jwt_signing_secret
  --env WEB_BRIDGE_SECRET_FILE=/run/secrets/web_bridge_secret
  --volume "$work/data:/var/lib/judge/data")
worker=(--env "JUDGE_API_URL=$url" --env WORKER_CONCURRENCY=1 --env "METRICS_PORT=$worker_port")
queue=(--env AMQP_URL_FILE=/run/secrets/amqp_url --env "AMQP_QUEUE=$run")

once() { engine run --rm --interactive "${common[@]}" "$@"; }

delete_queue() {
  once --entrypoint node localhost/judge:service --input-type=module --eval '
    import { Connection } from "rabbitmq-client"
    const connection = new Connection(process.argv[1])
    await connection.queueDelete(process.argv[2])
    await connection.close()' "$amqp" "$run"
}

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

# expect_unhealthy NAME TEXT: the health check fails within a minute, with this text.
expect_unhealthy() {
  local output=
  for _ in $(seq 60); do
    output=$(engine exec "$run-$1" node /app/deploy/image/health-check.js 2>&1) || break
    sleep 1
  done
  grep -q "$2" <<<"$output" || fail "health of $1 printed: ${output:-nothing}"
}

# expect_user NAME PATTERN ID: all processes of the container with this command have this user id.
expect_user() {
  local found
  found=$(engine exec "$run-$1" sh -c '
    for folder in /proc/[0-9]*; do
      tr "\0" " " <"$folder/cmdline" 2>/dev/null | grep -q "$1" && stat -c %u "$folder" || true
    done' sh "$2" | sort -u)
  [ "$found" = "$3" ] || fail "$1 runs as ${found:-nobody}, not as $3"
}

# Programs leave processes that an init must collect.
expect_no_zombies() {
  local zombies
  for _ in $(seq 20); do
    zombies=$(engine exec "$run-$1" sh -c 'cat /proc/[0-9]*/stat 2>/dev/null | grep -c "^[0-9]* (.*) Z "') || true
    [ "$zombies" != 0 ] || { passed "no process of a program is left in $1"; return; }
    sleep 0.5
  done
  fail "$1 has $zombies zombies"
}

# signal_worker SIGNAL: for Node.js; the first process of the container is an init.
signal_worker() {
  engine exec "$run-worker" sh -c '
    for folder in /proc/[0-9]*; do
      ! tr "\0" " " <"$folder/cmdline" 2>/dev/null | grep -q "^node packages/worker" ||
        kill -s "$1" "${folder#/proc/}"
    done' sh "$1"
}

expect_clean_stop() {
  engine stop --time 35 "$run-$1" >/dev/null
  local code
  code=$(engine inspect --format '{{.State.ExitCode}}' "$run-$1")
  [ "$code" = 0 ] || fail "$1 ended with $code after SIGTERM"
  engine rm "$run-$1" >/dev/null
  passed "SIGTERM ends $1 with exit code 0"
}

check_accounts() {
  once "${service[@]}" localhost/judge:service migrate | grep 'Applied migrations' >/dev/null || fail migrate
  passed migrate
  echo "$password" | once "${service[@]}" localhost/judge:service admin create --name Ada --email ada@example.org --admin \
    --password-stdin | grep 'Created the admin' >/dev/null || fail 'admin create'
  passed 'admin create'
  # As root the entry point becomes the service's user: the files stay its own.
  once --user root "${service[@]}" localhost/judge:service migrate | grep 'up to date' >/dev/null || fail 'migrate as root'
  [ -z "$(find "$work/data" -not -user 990)" ] || fail 'migrate as root left files of root'
  passed 'migrate as root runs as SERVICE_USER'
}

check_service() {
  start service "${service[@]}" "${queue[@]}" localhost/judge:service
  # A program with the command line of the worker must not change what the health check asks.
  engine exec --detach "$run-service" sh -c 'sleep 600; :' packages/worker/dist/main.js >/dev/null
  wait_until_healthy service
  expect_user service '^node --max-semi-space-size=16 dist/src/main.js' 990
  passed 'service answers /ready as user 990, with its secrets from files'
}

check_worker() {
  start worker "${worker[@]}" "${queue[@]}" "${sandbox[@]}" localhost/judge:worker
  wait_until_healthy worker
  expect_user worker '^node packages/worker' 0
  judge_programs
  expect_no_zombies worker
  passed "worker judges in a container ($(engine logs "$run-worker" 2>&1 | grep -o '"isolation":"[^"]*"'))"
  # Without each part the worker must say what is missing.
  expect_refusal '--cap-add=SYS_ADMIN' --security-opt seccomp=unconfined --security-opt unmask=ALL
  expect_refusal 'systempaths=unconfined' --cap-add SYS_ADMIN --security-opt seccomp=unconfined
}

# A service that hangs, a worker whose service does not respond, and a worker that hangs.
check_failures() {
  engine kill --signal STOP "$run-service" >/dev/null
  expect_unhealthy service 'the service does not respond'
  expect_worker_page 503
  engine exec "$run-worker" node /app/deploy/image/health-check.js || fail 'the worker is not healthy'
  signal_worker STOP
  expect_unhealthy worker 'the worker does not respond'
  engine kill --signal CONT "$run-service" >/dev/null
  signal_worker CONT
  wait_until_healthy service
  wait_until_healthy worker
  expect_worker_page 200
  passed 'the health checks notice processes that hang, and a worker without its service stays healthy'
}

# expect_worker_page STATUS: /health of the worker responds with this status within a minute.
expect_worker_page() {
  local status=
  for _ in $(seq 60); do
    status=$(node -e 'fetch(process.argv[1]).then(({ status }) => console.log(status))' \
      "http://127.0.0.1:$worker_port/health" 2>/dev/null) || true
    [ "$status" != "$1" ] || return 0
    sleep 1
  done
  fail "/health of the worker responded ${status:-nothing}, not $1"
}

# An init of the engine is the first process of the container.
check_init() {
  start init --init "${worker[@]}" "${queue[@]}" "${sandbox[@]}" localhost/judge:worker
  wait_until_healthy init
  passed 'the health check finds the worker behind an init'
  judge_programs
  expect_no_zombies init
  expect_clean_stop init
}

judge_programs() {
  EMAIL=ada@example.org PASSWORD=$password node judge-programs.js "$url" C C++ Java JavaScript Python || fail judging
}

# expect_refusal TEXT OPTION...: the worker does not start, and its message has the text.
expect_refusal() {
  local output
  ! output=$(once "${worker[@]}" "${queue[@]}" "${@:2}" localhost/judge:worker 2>&1) || fail "the worker starts without $1"
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
  start all "${service[@]}" "${sandbox[@]}" --env WORKER_CONCURRENCY=1 --env "WORKER_METRICS_PORT=$worker_port" \
    localhost/judge:all
  wait_until_healthy all
  expect_user all '^node --max-semi-space-size=16 dist/src/main.js --judge' 0
  expect_user all '^[^ ]*node --max-semi-space-size=16 .*dist/src/main.js --supervised' 990
  expect_user all '^[^ ]*node .*worker/dist/main.js --supervised' 0
  judge_programs
  expect_no_zombies all
  passed 'all judges in one container: the service as user 990, the worker as root'
  expect_clean_stop all
}

check_accounts
check_service
check_command_line
check_worker
check_failures
expect_clean_stop worker
check_init
expect_clean_stop service
check_all
echo 'All commands of the images work.'
