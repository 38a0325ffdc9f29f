# Sourced by the steps with a session of an ordinary user.
. ./lib.sh

# as_user COMMAND...: in a new login session of ulla.
as_user() {
  systemd-run --quiet --wait --pipe --collect -p PAMName=login -p User=ulla \
    -p WorkingDirectory=/run/machine/guest -- "$@"
}
