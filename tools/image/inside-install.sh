#!/usr/bin/env bash
# The second part of the install, inside the root: starts the servers that systemd would have
# started, runs the remaining lines, and judges programs.
set -euo pipefail

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

service=$(cat /run/judge-service.pid)
[ "$(stat -c %U "/proc/$service")" = judge ] || { echo 'the service runs as another user' >&2; exit 1; }
cd /opt/judge-data-layer
export DATABASE_URL='postgres://judge@%2Fvar%2Frun%2Fpostgresql/judge'
echo 'password of the test' |
  runuser -u judge -- npm run --silent admin -- password --email ada@example.org --password-stdin
EMAIL=ada@example.org PASSWORD='password of the test' \
  node /srv/judge-one.js http://127.0.0.1:5000 C C++ Python JavaScript
# In this order: the worker removes its control groups. start-units.sh deletes the file after an end
# with exit code 0.
for unit in judge-worker judge-service; do
  kill "$(cat /run/$unit.pid)"
  timeout 30 bash -c "while [ -e /run/$unit.pid ]; do sleep 0.2; done"
done
