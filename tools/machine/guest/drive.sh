#!/usr/bin/env bash
# drive.sh: runs the steps in this session, prints their outcomes, writes the logs to the output
# disk, and turns the machine off.
set -uo pipefail
cd /run/machine/guest

release=$(cat ../release)
mapfile -t steps <../steps
logs=/var/log/machine
mkdir -p "$logs"

print_versions() {
  echo "versions  $release  $(uname -r)  $(dpkg-query -W -f '${Version}' systemd)" \
    " $(dpkg-query -W -f '${Version}' bubblewrap)  $(node --version)" \
    " $(psql --version | cut -d ' ' -f 3)  $(dpkg-query -W -f '${Version}' rabbitmq-server)"
}

# run_step NAME SCRIPT: prints the outcome, after what the step shows, or the end of a failed log.
run_step() {
  local name=$1 script=$2 outcome=passed
  echo "-- $release: $name"
  # The second serial line has it too, if the machine hangs.
  bash -Eeuo pipefail "$script" 2>&1 | tee "$logs/$name.log" >/dev/ttyS1 || outcome=FAILED
  if [ "$outcome" = FAILED ]; then
    # The names of failed tests, and the end.
    grep -a ' FAIL ' "$logs/$name.log" | sort -u
    tail -n 60 "$logs/$name.log"
  else
    sed -n 's/^SHOWN: /   /p' "$logs/$name.log"
  fi
  echo "$outcome  $release  $name"
  systemctl stop judge judge-worker judge-service 2>/dev/null
  systemctl reset-failed
  [ "$outcome" = passed ]
}

print_versions
if run_step setup ./setup.sh; then
  for step in "${steps[@]}"; do run_step "$step" "steps/$step.sh"; done
fi
journalctl --boot --no-pager --output short-precise >"$logs/journal.log"
tar -C "$logs" -cf /dev/disk/by-id/virtio-output .
sync
# Without waiting for the servers: the disks are thrown away.
systemctl poweroff --force
