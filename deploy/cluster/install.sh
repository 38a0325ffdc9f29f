#!/bin/sh
# Installs the configuration of one role on this machine:
#   install.sh etcd|database|queue|proxy|service|worker NAME [SECRETS]
# NAME is the machine's name in files/hosts; a machine with several roles has several names. SECRETS
# is the role's file of make-secrets.sh; etcd and proxy have none. docs/cluster.md names the
# packages. It may run again: it replaces what it has installed, but not service.env and worker.env.
set -eu
umask 077
usage() { echo "usage: $0 etcd|database|queue|proxy|service|worker NAME [SECRETS]" >&2; exit 2; }
fail() { echo "$1" >&2; exit 1; }

# Everything is checked before anything is written.
[ $# = 2 ] || [ $# = 3 ] || usage
role=$1 NAME=$2 needed=''
case $role in
  etcd) prefix=etcd ;;
  database) prefix=db needed='POSTGRES_PASSWORD REPLICATION_PASSWORD REWIND_PASSWORD DATABASE_PASSWORD' ;;
  queue) prefix=mq needed='ERLANG_COOKIE RABBITMQ_PASSWORD' ;;
  proxy) prefix=proxy ;;
  service)
    prefix=api
    needed='DATABASE_PASSWORD RABBITMQ_PASSWORD JUDGE_PASSWORD JWT_SIGNING_SECRET WEB_BRIDGE_SECRET'
    ;;
  worker) prefix=worker needed='RABBITMQ_PASSWORD JUDGE_PASSWORD' ;;
  *) usage ;;
esac
case ${NAME#"$prefix"} in
  "$NAME" | *[!0-9]*) fail "$NAME is no name for the role $role: its names begin with $prefix" ;;
esac
files=$(dirname "$(realpath "$0")")/files
grep -Eq "^[0-9].*[[:space:]]$NAME\$" "$files/hosts" || fail "$NAME is not in $files/hosts"
POSTGRES_PASSWORD='' REPLICATION_PASSWORD='' REWIND_PASSWORD='' DATABASE_PASSWORD='' RABBITMQ_PASSWORD=''
ERLANG_COOKIE='' JUDGE_PASSWORD='' JWT_SIGNING_SECRET='' WEB_BRIDGE_SECRET=''
# shellcheck disable=SC1090
[ $# = 2 ] || . "$(realpath "$3")"
for name in $needed; do
  eval "[ -n \"\$$name\" ]" || fail "$name is missing: the role $role needs its file of make-secrets.sh"
done

fill() { # fill FILE TARGET MODE OWNER: copies a file with the machine's name and the secrets
  mkdir -p "$(dirname "$2")"
  # Not in the arguments of a program, which other users can read.
  sed -f - "$files/$1" >"$2.new" <<END
s|@MACHINE@|$NAME|g
s|@POSTGRES_PASSWORD@|$POSTGRES_PASSWORD|g
s|@REPLICATION_PASSWORD@|$REPLICATION_PASSWORD|g
s|@REWIND_PASSWORD@|$REWIND_PASSWORD|g
s|@DATABASE_PASSWORD@|$DATABASE_PASSWORD|g
s|@RABBITMQ_PASSWORD@|$RABBITMQ_PASSWORD|g
END
  chown "$4" "$2.new"
  chmod "$3" "$2.new"
  mv "$2.new" "$2"
}

variables() { # variables FILE: the operator adds variables to it, so an earlier file stays
  if [ -e "/etc/judge-data-layer/$1" ]; then
    echo "kept /etc/judge-data-layer/$1: compare it with $files/$1"
  else
    fill "$1" "/etc/judge-data-layer/$1" 644 root:root
  fi
}

secret() { # secret NAME TEXT: a file that only root can read
  mkdir -p /etc/judge-data-layer/secrets
  printf %s "$2" >"/etc/judge-data-layer/secrets/$1.new"
  mv "/etc/judge-data-layer/secrets/$1.new" "/etc/judge-data-layer/secrets/$1"
}

# The cluster's names stand between two lines, and replace those of an earlier run. Debian's
# installer writes `127.0.1.1 NAME`: with it, this machine would reach itself from another address
# than others do.
sed -E -e '/^# judge cluster$/,/^# end of judge cluster$/d' \
  -e "/^127\.0\.1\.1[[:space:]](.*[[:space:]])?$NAME([[:space:]]|\$)/d" /etc/hosts >/etc/hosts.new
{ echo '# judge cluster'; grep -v '^#' "$files/hosts"; echo '# end of judge cluster'; } >>/etc/hosts.new
cat /etc/hosts.new >/etc/hosts
rm /etc/hosts.new

case $role in
  etcd)
    fill etcd.env /etc/default/etcd 644 root:root
    ;;
  database)
    fill patroni.yml /etc/patroni/config.yml 640 root:postgres
    fill create-database.sh /etc/patroni/create-database.sh 750 root:postgres
    ;;
  queue)
    fill rabbitmq.conf /etc/rabbitmq/rabbitmq.conf 640 root:rabbitmq
    fill rabbitmq-env.conf /etc/rabbitmq/rabbitmq-env.conf 644 root:root
    fill judge-rabbitmq.sh /usr/local/sbin/judge-rabbitmq 755 root:root
    fill rabbitmq-server.conf /etc/systemd/system/rabbitmq-server.service.d/judge.conf 644 root:root
    # The nodes of a cluster know each other by this cookie.
    rm -f /var/lib/rabbitmq/.erlang.cookie
    printf %s "$ERLANG_COOKIE" >/var/lib/rabbitmq/.erlang.cookie
    chown rabbitmq:rabbitmq /var/lib/rabbitmq/.erlang.cookie
    chmod 400 /var/lib/rabbitmq/.erlang.cookie
    ;;
  proxy)
    fill haproxy.cfg /etc/haproxy/haproxy.cfg 644 root:root
    fill judge-instance.sh /usr/local/sbin/judge-instance 755 root:root
    ;;
  service)
    variables service.env
    secret jwt-signing-secret "$JWT_SIGNING_SECRET"
    secret judge-password "$JUDGE_PASSWORD"
    secret web-bridge-secret "$WEB_BRIDGE_SECRET"
    secret database-url \
      "postgres://judge:$DATABASE_PASSWORD@db1:5432,db2:5432,db3:5432/judge?target_session_attrs=read-write"
    secret amqp-url "amqp://judge:$RABBITMQ_PASSWORD@mq1:5672,mq2:5672,mq3:5672"
    ;;
  worker)
    variables worker.env
    secret judge-password "$JUDGE_PASSWORD"
    secret amqp-url "amqp://judge:$RABBITMQ_PASSWORD@mq1:5672,mq2:5672,mq3:5672"
    ;;
esac
