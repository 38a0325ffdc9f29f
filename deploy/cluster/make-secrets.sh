#!/bin/sh
# Makes new secrets for a cluster: make-secrets.sh FOLDER. The folder gets one file for each role,
# which only its owner can read. Copy to a machine only the file of its role.
set -eu
[ $# = 1 ] || { echo "usage: $0 FOLDER" >&2; exit 2; }
umask 077
mkdir "$1"
secret() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
database=$(secret) queue=$(secret) judge=$(secret)
cat >"$1/database.env" <<END
POSTGRES_PASSWORD=$(secret)
REPLICATION_PASSWORD=$(secret)
REWIND_PASSWORD=$(secret)
DATABASE_PASSWORD=$database
END
cat >"$1/queue.env" <<END
ERLANG_COOKIE=$(secret)
RABBITMQ_PASSWORD=$queue
END
cat >"$1/service.env" <<END
DATABASE_PASSWORD=$database
RABBITMQ_PASSWORD=$queue
JUDGE_PASSWORD=$judge
JWT_SIGNING_SECRET=$(secret)
WEB_BRIDGE_SECRET=$(secret)
END
cat >"$1/worker.env" <<END
RABBITMQ_PASSWORD=$queue
JUDGE_PASSWORD=$judge
END
