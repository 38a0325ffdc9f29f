#!/usr/bin/env bash
# run-delegated.sh COMMAND...: runs the command in a unit whose control group is its own.
set -Eeuo pipefail

systemd-run --quiet --wait --pipe --collect \
  -p Delegate=yes -p WorkingDirectory=/opt/judge-data-layer \
  -E HOME=/root -E SANDBOX_REQUIRED=1 -E NO_COLOR=1 \
  -- bash /run/machine/guest/enter-leaf.sh "$@"
