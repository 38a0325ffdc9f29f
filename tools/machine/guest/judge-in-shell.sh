#!/usr/bin/env bash
# judge-in-shell.sh [COMMAND...]: runs `npm start -- --judge`, by the command, with new secrets and
# an embedded database in DATA_DIR. Judges programs, and ends it as Ctrl-C does.
set -Eeuo pipefail
cd /run/machine/guest
. ./lib.sh

log=$(mktemp)
for name in JWT_SIGNING_SECRET JUDGE_PASSWORD WEB_BRIDGE_SECRET; do
  export "$name=$(openssl rand -hex 32)"
done
export BASIC_REGISTRATION_ENABLED=true ADMIN_EMAILS=machine@example.org HOST=127.0.0.1

# A job with a process group of its own, as in an interactive shell.
set -m
(cd "$project" && exec "$@" npm start -- --judge) </dev/null >"$log" 2>&1 &
job=$!
set +m
trap 'kill -KILL -- "-$job" 2>/dev/null || true; cat "$log"' EXIT

cat /proc/self/cgroup
until grep -q 'the judge worker has started' "$log"; do
  kill -0 "$job" 2>/dev/null || fail 'npm start -- --judge has ended'
  ! grep 'the worker has ended' "$log" || fail 'the worker has ended'
  sleep 1
done
# A reload must not change the control groups of the worker.
[ "$(id -u)" = 0 ] && systemctl daemon-reload || systemctl --user daemon-reload
judge_programs
expect_isolation "$log"
kill -INT -- "-$job"
code=0
wait "$job" || code=$?
echo "npm ended with $code"
! pgrep --full 'main.js --supervised' || fail 'processes are left'
expect_no_groups
