#!/bin/bash
# Process 1 of a machine of the test cluster: machine-init.sh NAME FOLDER. FOLDER has the machine's
# disk: its own /etc, /usr/local/sbin, /var/log, and the folders of its servers in /var/lib.
set -eu
name=$1 folder=$2
hostname "$name"
mount --make-rprivate /
if [ ! -d "$folder/etc" ]; then
  mkdir -p "$folder" && cp -a /etc "$folder/etc.new" && mv "$folder/etc.new" "$folder/etc"
  printf '127.0.0.1 localhost\n' >"$folder/etc/hosts"
  # The settings of a judge that is installed on this computer.
  rm -rf "$folder/etc/judge-data-layer"
fi
for place in etc usr/local/sbin var/lib/etcd var/lib/postgresql var/lib/rabbitmq var/lib/haproxy var/log; do
  if [ -d "/$place" ]; then
    [ -d "$folder/$place" ] || install -d -m "$(stat -c %a "/$place")" "$folder/$place"
    chown --reference="/$place" "$folder/$place"
    mount --bind "$folder/$place" "/$place"
  fi
done
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mkdir -p /run/postgresql /run/haproxy /run/rabbitmq /run/lock
chown postgres:postgres /run/postgresql 2>/dev/null || true
for user in rabbitmq etcd; do
  [ ! -d "/var/log" ] || install -d -o "$user" -g "$user" "/var/log/$user" 2>/dev/null || true
done
ip link set lo up
echo ready
# Collects the exit codes of processes whose parents have ended.
trap 'exit 0' TERM
while :; do sleep infinity & wait $! || true; done
