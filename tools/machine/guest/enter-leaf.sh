#!/usr/bin/env bash
# enter-leaf.sh COMMAND...: runs the command in a group below the control group of this unit. A group
# with limits for the groups below it may have no processes.
set -euo pipefail

group=/sys/fs/cgroup$(sed -n 's/^0:://p' /proc/self/cgroup)/judge-supervisor
mkdir "$group"
echo $$ >"$group/cgroup.procs"
exec "$@"
