#!/usr/bin/env bash
# demo.sh: runs the first command of README.md until it has judged four programs, prints the
# isolation, and ends it as Ctrl-C does. All of its programs would take an emulated CPU an hour, which
# also exceeds their time limits: the verdicts are not compared.
set -Eeuo pipefail
cd /run/machine/guest
. ./lib.sh

log=$(mktemp)
# A job with a process group of its own, as in an interactive shell.
set -m
(cd "$project" && npm run demo) </dev/null >"$log" 2>&1 &
job=$!
set +m
trap 'kill -KILL -- "-$job" 2>/dev/null || true; cat "$log"' EXIT

cat /proc/self/cgroup
until grep -q ' s  4/' "$log"; do
  kill -0 "$job" 2>/dev/null || fail 'npm run demo has ended'
  sleep 1
done
grep -aE '^Isolation:' "$log" | sed 's/^/SHOWN: /'
kill -INT -- "-$job"
code=0
wait "$job" || code=$?
echo "npm ended with $code"
expect_no_groups
