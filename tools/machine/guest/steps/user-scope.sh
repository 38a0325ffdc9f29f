# `npm start -- --judge` by a user without privileges, in a scope with a control group of its own.
. ./sessions.sh

as_user env DATA_DIR=/home/ulla/data bash judge-in-shell.sh \
  systemd-run --user --scope --quiet -p Delegate=yes
