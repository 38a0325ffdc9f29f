#!/bin/sh
# Installs the configuration of one machine of a cluster: install.sh ROLE SECRETS
# ROLE is etcd, database, queue, proxy, service or worker; SECRETS is a file of make-secrets.sh. The
# host name must be one of those in files/hosts. The packages must be installed: docs/cluster.md.
set -eu
[ $# = 2 ] || { echo "usage: $0 etcd|database|queue|proxy|service|worker SECRETS" >&2; exit 2; }
role=$1 secrets=$2 files=$(dirname "$0")/files
# shellcheck disable=SC1090
. "$secrets"
machine=$(hostname)
grep -q " $machine\$" "$files/hosts" || { echo "$machine is not in $files/hosts" >&2; exit 1; }

fill() { # fill FILE TARGET MODE OWNER: copies a file with the machine's name and the secrets
  mkdir -p "$(dirname "$2")"
  sed -e "s|@MACHINE@|$machine|g" \
    -e "s|@POSTGRES_PASSWORD@|$POSTGRES_PASSWORD|g" -e "s|@REPLICATION_PASSWORD@|$REPLICATION_PASSWORD|g" \
    -e "s|@DATABASE_PASSWORD@|$DATABASE_PASSWORD|g" -e "s|@RABBITMQ_PASSWORD@|$RABBITMQ_PASSWORD|g" \
    "$files/$1" >"$2.new"
  chmod "$3" "$2.new"
  chown "$4" "$2.new"
  mv "$2.new" "$2"
}

secret() { # secret NAME TEXT: a file that only root can read
  mkdir -p /etc/judge-data-layer/secrets
  (umask 077 && printf %s "$2" >"/etc/judge-data-layer/secrets/$1")
}

# Names that this file does not have stay as they are.
grep -q ' etcd1$' /etc/hosts || cat "$files/hosts" >>/etc/hosts
databases=db1:5432,db2:5432,db3:5432 queues=mq1:5672,mq2:5672,mq3:5672
database_url="postgres://judge:$DATABASE_PASSWORD@$databases/judge?target_session_attrs=read-write"
amqp_url="amqp://judge:$RABBITMQ_PASSWORD@$queues"

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
    # The nodes of a cluster know each other by this cookie.
    (umask 077 && printf %s "$ERLANG_COOKIE" >/var/lib/rabbitmq/.erlang.cookie)
    chmod 400 /var/lib/rabbitmq/.erlang.cookie
    chown rabbitmq:rabbitmq /var/lib/rabbitmq/.erlang.cookie
    ;;
  proxy)
    fill haproxy.cfg /etc/haproxy/haproxy.cfg 644 root:root
    ;;
  service)
    fill service.env /etc/judge-data-layer/service.env 644 root:root
    secret jwt-signing-secret "$JWT_SIGNING_SECRET"
    secret judge-password "$JUDGE_PASSWORD"
    secret web-bridge-secret "$WEB_BRIDGE_SECRET"
    secret database-url "$database_url"
    secret amqp-url "$amqp_url"
    ;;
  worker)
    fill worker.env /etc/judge-data-layer/worker.env 644 root:root
    secret judge-password "$JUDGE_PASSWORD"
    secret amqp-url "$amqp_url"
    ;;
  *)
    echo "unknown role: $role" >&2
    exit 2
    ;;
esac
