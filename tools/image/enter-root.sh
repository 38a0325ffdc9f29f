#!/usr/bin/env bash
# enter-root.sh ROOT SCRIPT: runs SCRIPT with ROOT as `/`, in a mount namespace that the caller made.
set -euo pipefail

root=$1 script=$2
# A new network has a loopback device that is down; the machine's own stays as it is.
ip link set lo up
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cd "$root"
pivot_root . mnt
umount -l /mnt
export REPOSITORY=/srv/repository.git npm_config_cafile=/srv/build-certificates.crt
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8
export DEBIAN_FRONTEND=noninteractive
# The caller's folder does not exist in the root.
unset TMPDIR
exec bash -euo pipefail "$script"
