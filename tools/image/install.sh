#!/usr/bin/env bash
# Installs the service and a worker in an empty Debian 12, with the lines of docs/operations.md,
# and judges programs there. Needs root, debootstrap, npm and Debian's mirrors. Nothing stays
# mounted: the mounts are in namespaces of their own, which end with this script.
set -euo pipefail
cd "$(dirname "$0")/../.."

work=$(mktemp -d /var/tmp/judge-install.XXXXXX)
root=$work/root
# Control groups of version 1 in which the install runs.
groups=()
clean_up() {
  leave_groups
  # A mount below the folder would make the deletion reach other file systems.
  ! grep -q " $work" /proc/mounts || { echo "still mounted: $work" >&2; return; }
  rm -rf "$work"
}
trap clean_up EXIT

# A worker deletes groups beside its own if their worker has ended. It does not see the processes of
# other process namespaces, so the install and the machine's workers need groups apart.
enter_groups() {
  local name own
  for name in memory pids cpuacct; do
    own=/sys/fs/cgroup/$name$(sed -n "s|^[0-9]*:$name:||p" /proc/self/cgroup)
    [ -w "$own/cgroup.procs" ] || continue
    groups+=("${own%/}/$(basename "$work")")
    mkdir "${groups[-1]}"
    echo $$ >"${groups[-1]}/cgroup.procs"
  done
}

leave_groups() {
  local group
  for group in "${groups[@]}"; do
    echo $$ >"$(dirname "$group")/cgroup.procs"
    rmdir "$group" || echo "still in use: $group" >&2
  done
}

# The lines of the first shell block below the heading.
extract_lines() {
  awk '/^## Install on Debian/ { found = 1 } found && /^```$/ { exit } inside { print }
       found && /^```sh/ { inside = 1 }' docs/operations.md
}

# Replaces what a root without systemd and without nodejs.org cannot do; tools/image/README.md
# lists these lines.
substitute() {
  sed -e "s|^curl .*nodejs.org.*|: # Node.js is there already|" \
    -e "s|^systemctl daemon-reload && systemctl enable --now|/srv/start-units.sh|"
}

prepare_root() {
  debootstrap --variant=minbase bookworm "$root" >/dev/null
  tools/image/add-node.sh "$root"
  cp /etc/ssl/certs/ca-certificates.crt "$root/srv/build-certificates.crt"
  cp tools/image/start-units.sh tools/image/inside-install.sh tools/image/judge-programs.js "$root/srv/"
  # Packages must not start servers: their ports may be in use on this machine.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 0755 "$root/usr/sbin/policy-rc.d"
  git clone --quiet --bare . "$root/srv/repository.git"
  extract_lines | substitute >"$work/lines"
  # The servers start after the line with npm, in a network of their own.
  awk '{ print } /npm ci/ { exit }' "$work/lines" >"$root/srv/install-1.sh"
  awk 'found { print } /npm ci/ { found = 1 }' "$work/lines" >"$root/srv/install-2.sh"
}

# enter NAMESPACE... -- SCRIPT: runs the script with the root as `/`. A plain chroot would not do: in
# one the kernel refuses user namespaces, which bubblewrap needs.
enter() {
  local namespaces=()
  while [ "$1" != -- ]; do namespaces+=("$1") && shift; done
  unshare --mount --pid --fork --kill-child "${namespaces[@]}" -- \
    bash tools/image/enter-root.sh "$root" "$2"
}

[ "$(id -u)" = 0 ] || { echo 'install.sh needs root' >&2; exit 1; }
[ "$(extract_lines | wc -l)" -gt 10 ] || { echo 'docs/operations.md has no install lines' >&2; exit 1; }
enter_groups
prepare_root
enter -- /srv/install-1.sh
enter --net -- /srv/inside-install.sh
echo 'The install works.'
