#!/bin/sh
# Runs a command as root in new namespaces: network, processes, mounts, shared memory, host name.
# When the command or this process ends, also by SIGKILL, the kernel kills every process in them.
set -eu
# Process 1 also collects the exit codes of processes whose parents have ended.
# shellcheck disable=SC2016
exec unshare --net --pid --mount --uts --ipc --fork --kill-child=SIGKILL --mount-proc \
  bash -c '"$@" & wait $!' isolate "$@"
