# Sourced by the steps with units of systemd.
. ./lib.sh

show() { systemctl show --property "$2" --value "$1"; }

# install_units COMMAND...: installs the project's units, empties their folder, runs the command.
install_units() {
  install -m 0644 "$project"/deploy/systemd/*.service /etc/systemd/system/
  rm -rf /var/lib/judge-data-layer
  install -d -o judge -g judge -m 0700 /var/lib/judge-data-layer
  "$@"
  systemctl daemon-reload
}

# unit_log UNIT: what its processes have printed since its latest start.
unit_log() { journalctl --quiet --output cat "_SYSTEMD_INVOCATION_ID=$(show "$1" InvocationID)"; }

# expect_running UNIT: fails with the journal if the unit, or the worker in it, has ended.
expect_running() {
  [ "$(show "$1" NRestarts)" = 0 ] && [ "$(show "$1" ActiveState)" = active ] &&
    ! unit_log "$1" | grep -q 'the worker has ended' && return
  journalctl --quiet --no-pager --output cat --unit "$1"
  fail "$1 has ended, or its worker"
}

wait_until_ready() {
  until curl -fs --output /dev/null "$address/ready"; do
    expect_running "$1"
    sleep 1
  done
}

wait_for_worker() {
  until unit_log "$1" | grep -q 'the judge worker has started'; do
    expect_running "$1"
    sleep 1
  done
}

# check_isolation UNIT: its log shows full isolation.
check_isolation() {
  unit_log "$1" >"/run/$1.log"
  expect_isolation "/run/$1.log"
}

stop_cleanly() {
  expect_running "$1"
  systemctl stop "$1"
  [ "$(show "$1" Result) $(show "$1" ExecMainStatus)" = 'success 0' ] ||
    fail "$1 ended with $(show "$1" Result), code $(show "$1" ExecMainStatus)"
}

# check_judge: judge.service starts, judges and stops.
check_judge() {
  systemctl start judge
  wait_until_ready judge
  wait_for_worker judge
  # A reload must not change the control groups of the worker.
  systemctl daemon-reload
  judge_programs
  check_isolation judge
  stop_cleanly judge
  expect_no_groups
}
