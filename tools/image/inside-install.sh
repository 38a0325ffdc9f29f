#!/usr/bin/env bash
# The second part of the install, inside the root: starts the servers that systemd would have
# started, runs the remaining lines, and judges programs.
set -Eeuo pipefail

show_logs() {
  tail -n 20 /var/log/judge-*.log /var/log/rabbitmq-start.log 2>/dev/null || true
}
trap 'show_logs >&2' ERR

# The package chose another port if this machine has a PostgreSQL already.
pg_conftool 15 main set port 5432
pg_ctlcluster 15 main start
rabbitmq-server >/var/log/rabbitmq-start.log 2>&1 &
timeout 120 bash -c 'until rabbitmqctl --quiet await_startup >/dev/null 2>&1; do sleep 1; done'

bash -euo pipefail /srv/install-2.sh

readonly address=http://127.0.0.1:5000 email=ada@example.org password='password of the test'

judge_programs() {
  EMAIL=$email PASSWORD=$password node /srv/judge-programs.js "$address" C C++ Python JavaScript
}

# admin ARGUMENT...: as the service's user, with the password on its standard input.
admin() {
  echo "$password" | runuser -u judge -- npm run --silent admin -- "$@" --email "$email" --password-stdin
}

# start-units.sh deletes the file after an end with exit code 0.
stop_unit() {
  kill "$(cat "/run/$1.pid")"
  timeout "$2" bash -c "while [ -e /run/$1.pid ]; do sleep 0.2; done"
}

check_two_units() {
  local service
  service=$(cat /run/judge-service.pid)
  [ "$(stat -c %U "/proc/$service")" = judge ] || { echo 'the service runs as another user' >&2; exit 1; }
  DATABASE_URL='postgres://judge@%2Fvar%2Frun%2Fpostgresql/judge' admin password
  judge_programs
  # In this order: the worker removes its control groups.
  stop_unit judge-worker 30
  stop_unit judge-service 20
  echo 'judge-service and judge-worker work.'
}

# As deploy/README.md says, without PostgreSQL and RabbitMQ. The unit makes the folder of the data.
check_one_unit() {
  local data=/var/lib/judge-data-layer
  sed -i '/database-url/d' /etc/systemd/system/judge.service
  rm -r "$data"
  start_judge
  stop_unit judge 40
  DATA_DIR=$data/database admin create --name Ada --admin
  start_judge
  judge_programs
  pgrep -u judge -f 'main.js --supervised' >/dev/null || { echo 'no service runs as judge' >&2; exit 1; }
  stop_unit judge 40
  [ -z "$(find "$data" -not -user judge)" ] || { echo "files of other users in $data" >&2; exit 1; }
  echo 'judge works.'
}

start_judge() {
  /srv/start-units.sh judge
  curl -fsS --retry 30 --retry-connrefused --retry-delay 1 --output /dev/null "$address/ready"
}

cd /opt/judge-data-layer
check_two_units
check_one_unit
