# Sourced by the steps.
readonly project=/opt/judge-data-layer address=http://127.0.0.1:5000

fail() {
  echo "$1" >&2
  exit 1
}

# print_install_lines FROM TO: the lines of "Install on Debian" from FROM up to the one before TO.
print_install_lines() {
  awk -v from="$1" -v to="$2" '/^## Install on Debian/ { found = 1 } found && /^```$/ { exit }
    $0 ~ to { inside = 0 } found && $0 ~ from { inside = 1 } inside { print }
    ' "$project/docs/operations.md"
}

# Makes the database of the documents again, without content.
make_database() {
  runuser -u postgres -- dropdb --if-exists judge
  bash -euo pipefail -c "$(print_install_lines '^runuser -u postgres -- createdb' '^install -d')"
}

# Right and wrong programs, and some that exceed a limit.
judge_programs() {
  EMULATED=1 EMAIL=machine@example.org PASSWORD=$(openssl rand -hex 16) \
    node judge-programs.js "$address" C JavaScript
}

# expect_isolation FILE: the worker whose log this is isolates programs completely.
expect_isolation() {
  grep -o '"isolation":"[^"]*"' "$1" | tail -n 1 | sed 's/^/SHOWN: /'
  ! grep 'isolated weakly' "$1" || fail 'the programs are isolated weakly'
  grep -q '"isolation":"[^"]*limits by cgroup v2' "$1" || fail 'no limits by cgroup v2'
}

expect_no_groups() {
  local groups
  groups=$(find /sys/fs/cgroup -name 'judge-worker-*')
  [ -z "$groups" ] || fail "control groups are left: $groups"
}
