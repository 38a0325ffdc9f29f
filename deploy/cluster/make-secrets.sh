#!/bin/sh
# Prints new secrets for a cluster, for install.sh. Keep them in a file that only root can read.
set -eu
for name in POSTGRES_PASSWORD REPLICATION_PASSWORD DATABASE_PASSWORD RABBITMQ_PASSWORD ERLANG_COOKIE \
  JWT_SIGNING_SECRET JUDGE_PASSWORD WEB_BRIDGE_SECRET; do
  echo "$name=$(od -An -N24 -tx1 /dev/urandom | tr -d ' \n')"
done
