#!/usr/bin/env bash
# start-units.sh UNIT...: starts installed units without systemd, as `systemctl enable --now` does:
# with their command, user, folders, variables, credentials and capabilities. Reads the units as far
# as ours need it; their other restrictions are left out.
set -euo pipefail

# value KEY: all values of the key, one per line.
value() { sed -n "s/^$1=//p" "$file"; }

# Replaces the specifiers of folders.
expand() { sed -e "s|%S|/var/lib|g" -e "s|%C|/var/cache|g" -e "s|%d|$credentials|g"; }

make_folders() {
  local name
  for name in $(value StateDirectory); do
    install -d -o "$user" -g "$user" -m "$(value StateDirectoryMode)" "/var/lib/$name"
  done
  for name in $(value CacheDirectory); do install -d -m "$(value CacheDirectoryMode)" "/var/cache/$name"; done
}

# Only the user of the unit can read the copies.
copy_credentials() {
  install -d -o "$user" -m 0700 "$credentials"
  local name path
  while IFS=: read -r name path; do
    install -o "$user" -m 0400 "$path" "$credentials/$name"
  done < <(value LoadCredential)
}

# Commands with a plus: as root, without the unit's restrictions.
run_first_commands() {
  local words
  while read -ra words; do "${words[@]}"; done < <(value ExecStartPre | sed 's/^+//' | expand)
}

# The command with its variables and nothing else of this environment.
describe_command() {
  local file_of_variables words
  command=(env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin LANG=C.UTF-8)
  mapfile -t words < <(value Environment | expand)
  command+=("${words[@]}")
  for file_of_variables in $(value EnvironmentFile); do
    mapfile -t words < <(grep -v -e '^#' -e '^$' "$file_of_variables")
    command+=("${words[@]}")
  done
  read -ra words < <(value ExecStart)
  command+=("${words[@]}")
}

# As Restart=on-failure: the command is started again until it ends with 0.
run_unit() {
  local bounds
  bounds=-all$(value CapabilityBoundingSet | sed 's/CAP_/,+/g; s/ //g' | tr '[:upper:]' '[:lower:]')
  umask "$(value UMask | grep . || echo 0022)"
  cd "$(value WorkingDirectory)"
  while true; do
    setpriv --reuid "$user" --regid "$user" --init-groups --no-new-privs --inh-caps=-all \
      --bounding-set "$bounds" "${command[@]}" &
    echo $! >"/run/$unit.pid"
    ! wait $! || break
    sleep "$(value RestartSec)"
  done
  rm "/run/$unit.pid"
}

for unit in "$@"; do
  file=/etc/systemd/system/$unit.service
  credentials=/run/credentials/$unit.service
  user=$(value User | grep . || echo root)
  make_folders
  run_first_commands
  copy_credentials
  describe_command
  run_unit >"/var/log/$unit.log" 2>&1 &
done
