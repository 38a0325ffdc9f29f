#!/bin/bash
# /usr/local/sbin/judge-rabbitmq of a queue machine: runs RabbitMQ, and starts it again if it hangs.
# RabbitMQ 3.10.8 on Erlang 25.2, Debian's versions, may hang when a lost node comes back (issue
# 6034 of rabbitmq-server, fixed in 3.10.9): at its start, or when pause_minority has paused it. So
# a node that accepts no connections for 45 s, while another one does, is killed. A start takes 5 to
# 15 s; a node that needs longer has twice the time after each kill. A drained node stays.
set -u
first_limit=${JUDGE_HANG_SECONDS:-45}
limit=$first_limit
others=$(sed -n 's/^cluster_formation\..*= rabbit@//p' /etc/rabbitmq/rabbitmq.conf | grep -vx '@MACHINE@')

start() { # in a process group of its own, so that all of its processes can be killed
  late=0
  setsid /usr/lib/rabbitmq/bin/rabbitmq-server &
  server=$!
}
accepts() { timeout 2 bash -c ": </dev/tcp/$1/5672" 2>/dev/null; }
other_accepts() {
  for other in $others; do accepts "$other" && return; done
  return 1
}
is_drained() { # `rabbitmq-upgrade drain` closes the port; a node that hangs answers nothing
  local question='rabbit:is_running() andalso rabbit_maintenance:is_being_drained_local_read(node()).'
  [ "$(timeout -k 5 15 rabbitmqctl --silent eval "$question" 2>/dev/null)" = true ]
}

start
trap 'kill -TERM "$server"; wait "$server"; exit' TERM INT
while kill -0 "$server" 2>/dev/null; do
  sleep 5 &
  wait $!
  if accepts 127.0.0.1; then
    late=0 limit=$first_limit
  elif ! other_accepts; then
    late=0
  elif ((late += 5, late >= limit)); then
    if is_drained; then
      late=0
    else
      echo "RabbitMQ hangs: it is killed and started again"
      kill -KILL -- "-$server"
      wait "$server"
      ((limit *= 2))
      start
    fi
  fi
done
wait "$server"
