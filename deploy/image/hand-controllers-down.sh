#!/bin/sh
# hand-controllers-down.sh ROOT CONTROLLER...: prepares the container's control group, which is
# mounted at ROOT, for groups with limits. Does nothing with control groups of version 1, or if the
# container sees those of the host.
#
# A group whose children have limits may have no processes of its own. So all processes move to a
# group below, which the worker knows by its name, before the controllers are handed down. A process
# of a health check can come at any time: it is moved at the next try.
set -eu
root=$1
shift
leaf=$root/judge-supervisor
tries=50

move_processes() {
  for pid in $$ $(cat "$root/cgroup.procs"); do
    { echo "$pid" >"$leaf/cgroup.procs"; } 2>/dev/null || true
  done
}

hand_down() {
  { printf '+%s ' "$@" >"$root/cgroup.subtree_control"; } 2>/dev/null
}

# The worker says what is missing.
has_controllers() {
  for name in "$@"; do
    grep -qw "$name" "$root/cgroup.controllers" || return 1
  done
}

[ -w "$root/cgroup.subtree_control" ] && grep -q '^0::/$' /proc/self/cgroup || exit 0
has_controllers "$@" || exit 0
mkdir -p "$leaf" || exit 0
while [ $tries -gt 0 ]; do
  move_processes
  ! hand_down "$@" || exit 0
  tries=$((tries - 1))
  sleep 0.1
done
echo "other processes stay in the container's control group $root: $(tr '\n' ' ' <"$root/cgroup.procs")" >&2
