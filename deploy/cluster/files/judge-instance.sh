#!/bin/sh
# judge-instance NAME drain|ready: whether HAProxy sends new requests to an instance. `drain` lets
# the running requests end. A restart of HAProxy makes all instances ready again.
set -eu
[ $# = 2 ] || { echo "usage: $0 NAME drain|ready" >&2; exit 2; }
for backend in ready alive; do
  answer=$(echo "set server $backend/$1 state $2" | socat - /run/haproxy/admin.sock)
  [ -z "$answer" ] || { echo "$answer" >&2; exit 1; }
done
