#!/bin/sh
# Patroni runs this once, on the first primary; $1 is its connection string.
set -eu
psql -v ON_ERROR_STOP=1 -d "$1" <<'SQL'
create role judge login password '@DATABASE_PASSWORD@';
create database judge owner judge;
SQL
