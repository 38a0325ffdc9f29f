#!/bin/sh
# Runs the hostile suite as a user without privileges: as-other-user.sh [rounds, default 3]
#
# Needs root: it delegates control groups to that user. It shows that user the checkout by a bind
# mount in a mount namespace of its own, since the checkout may be below a folder of root alone. No
# account is needed: HOSTILE_USER_ID (default 61234) is a number. The script removes everything that
# it makes when it ends.
set -eu

rounds=${1:-3}
user=${HOSTILE_USER_ID:-61234}
checkout=$(cd "$(dirname "$0")/../../../.." && pwd -P)
suite=packages/worker/test/hostile

fail() {
  echo "as-other-user: $1" >&2
  exit 1
}

case $rounds in '' | *[!0-9]* | 0) fail "the number of rounds is $rounds; it must be a whole number above 0" ;; esac
[ "$(id -u)" = 0 ] || fail 'start this as root: it delegates control groups and mounts the checkout for another user'
for command in setpriv unshare mount node bwrap; do
  command -v "$command" > /dev/null || fail "$command is missing (packages util-linux, nodejs, bubblewrap)"
done
node=$(readlink -f "$(command -v node)")
setpriv --reuid "$user" --regid "$user" --clear-groups "$node" --version > /dev/null ||
  fail "user $user cannot start $node: install Node.js where every user can read it"

# The folders of this process's control groups, one per line: version 1 has one for each controller.
list_groups() {
  awk -v cgroups="$(cat /proc/self/cgroup)" '
    $0 ~ / - cgroup2? / {
      kind = $0; sub(/.* - /, "", kind); split(kind, words, " ")
      point[words[1] == "cgroup2" ? "" : words[3]] = $5; root[$5] = $4
    }
    END {
      count = split(cgroups, lines, "\n")
      for (number = 1; number <= count; number++) {
        split(lines[number], parts, ":")
        for (options in point) {
          wanted = parts[2] == "" ? options == "" : index("," options ",", "," parts[2] ",") > 0
          if (!wanted || parts[2] !~ /^$|(^|,)(memory|pids|cpu|cpuacct)(,|$)/) continue
          path = parts[3]
          if (root[point[options]] != "/") sub("^" root[point[options]], "", path)
          sub(/\/$/, "", path)
          print point[options] path
        }
      }
    }' /proc/self/mountinfo
}

own_groups=$(list_groups)
name=judge-suite-$$
place=$(mktemp -d "${TMPDIR:-/tmp}/$name-XXXXXX")

# Removes a folder of control groups, the deepest first, after ending what still runs in it.
remove_group() {
  [ -d "$1" ] || return 0
  find "$1" -name cgroup.procs -exec cat {} + 2> /dev/null | xargs -r kill -KILL 2> /dev/null || true
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    find "$1" -depth -type d -exec rmdir {} + 2> /dev/null || true
    [ -d "$1" ] || return 0
    sleep 0.2
  done
  echo "as-other-user: $1 could not be removed" >&2
}

clean_up() {
  status=$?
  trap - EXIT
  for group in $own_groups; do
    remove_group "$group/$name"
  done
  rm -rf "$place"
  exit "$status"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

# Where version 1 uses the controllers, version 2 has none to delegate.
is_usable() {
  [ ! -e "$1/cgroup.controllers" ] || grep -q memory "$1/cgroup.controllers"
}

delegated=
for group in $own_groups; do
  is_usable "$group" || continue
  mkdir "$group/$name"
  chown "$user:$user" "$group/$name"
  for file in cgroup.procs cgroup.subtree_control cgroup.threads tasks; do
    [ ! -e "$group/$name/$file" ] || chown "$user:$user" "$group/$name/$file"
  done
  delegated="$delegated $group/$name"
done
[ -n "$delegated" ] || fail 'no control group can be delegated: mount the memory, pids and cpuacct controllers'

chmod 755 "$place"
mkdir "$place/checkout" "$place/temporary"
modules=.cache/judge-data-layer/modules
mkdir -p "$checkout/node_modules/.vite-temp" "$checkout/node_modules/.vite" "$checkout/node_modules/$modules"
chown "$user:$user" "$place/temporary"

# Runs one round in the delegated groups and a mount namespace, as the other user.
run_round() {
  (
    for group in $delegated; do
      echo 0 > "$group/cgroup.procs"
    done
    exec unshare --mount --propagation private sh -eu -c '
      place=$1 checkout=$2 user=$3 node=$4 suite=$5 modules=$6
      mount --bind "$checkout" "$place/checkout"
      for cache in .vite .vite-temp "$modules"; do
        mount -t tmpfs -o "mode=0700,uid=$user,gid=$user" cache "$place/checkout/node_modules/$cache"
      done
      cd "$place/checkout"
      export TMPDIR="$place/temporary" HOME="$place/temporary" SANDBOX_REQUIRED=1
      exec setpriv --reuid "$user" --regid "$user" --clear-groups \
        "$node" node_modules/vitest/vitest.mjs run "$suite"
    ' sh "$place" "$checkout" "$user" "$node" "$suite" "$modules"
  )
}

round=1
while [ "$round" -le "$rounds" ]; do
  echo "as-other-user: round $round of $rounds, as user $user"
  run_round
  round=$((round + 1))
done
