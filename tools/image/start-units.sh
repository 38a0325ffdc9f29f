#!/usr/bin/env bash
# Starts what `systemctl enable --now judge-service judge-worker` starts, without systemd: the
# command of each unit, as its user, with its variables. The secrets are read here.
set -euo pipefail
cd /opt/judge-data-layer

secrets=/etc/judge-data-layer/secrets
JWT_SIGNING_SECRET=$(cat $secrets/jwt-signing-secret)
JUDGE_PASSWORD=$(cat $secrets/judge-password)
WEB_BRIDGE_SECRET=$(cat $secrets/web-bridge-secret)
DATABASE_URL=$(cat $secrets/database-url)
AMQP_URL=$(cat $secrets/amqp-url)
export JWT_SIGNING_SECRET JUDGE_PASSWORD WEB_BRIDGE_SECRET DATABASE_URL AMQP_URL
set -a
. /etc/judge-data-layer/service.env
. /etc/judge-data-layer/worker.env
set +a

runuser -u judge -- node --max-semi-space-size=16 dist/src/main.js >/var/log/judge-service.log 2>&1 &
curl -fsS --retry 30 --retry-connrefused --retry-delay 1 -o /dev/null http://127.0.0.1:5000/ready
node packages/worker/dist/main.js >/var/log/judge-worker.log 2>&1 &
