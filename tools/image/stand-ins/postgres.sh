#!/bin/sh
# The variables that compose.yaml gives to the entry point of the image of PostgreSQL.
set -eu
data=/var/lib/postgresql/data
export PATH="/usr/lib/postgresql/15/bin:$PATH"

as_postgres() { setpriv --reuid postgres --regid postgres --init-groups "$@"; }

make_database() {
  chown postgres "$data"
  # The options are words.
  # shellcheck disable=SC2086
  as_postgres initdb --pgdata "$data" --username "$POSTGRES_USER" --pwfile "$POSTGRES_PASSWORD_FILE" \
    --auth-local trust --auth-host scram-sha-256 $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  as_postgres pg_ctl --pgdata "$data" --wait --options '-c listen_addresses=' start
  as_postgres createdb --username "$POSTGRES_USER" --maintenance-db postgres "$POSTGRES_DB"
  as_postgres pg_ctl --pgdata "$data" --wait stop
}

[ -s "$data/PG_VERSION" ] || make_database
exec setpriv --reuid postgres --regid postgres --init-groups postgres -D "$data" -c 'listen_addresses=*'
