# `npm start -- --judge` in the root session of the serial line.
. ./lib.sh

grep -q 'session-.*\.scope' /proc/self/cgroup || fail 'this is no login session'
export DATA_DIR=/var/lib/root-shell SERVICE_USER=judge
install -d -o judge -g judge -m 0700 "$DATA_DIR"
bash judge-in-shell.sh
