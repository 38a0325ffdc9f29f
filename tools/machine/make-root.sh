#!/usr/bin/env bash
# make-root.sh RELEASE: prints the folder with this Debian release as a disk, its kernel and its
# first file system. Makes them if the folder does not exist for these scripts and packages.
set -euo pipefail
cd "$(dirname "$0")/../.."

release=$1
cache=${MACHINE_CACHE:-/var/tmp/judge-machine}
disk_size=6G

# The packages of "Install on Debian", and those of a machine that boots.
list_packages() {
  sed -n '/^apt-get install/,/[^\\]$/p' docs/operations.md | tr -d '\\' |
    sed 's/^apt-get install\( --[a-z-]*\)*//' | xargs -n 1
  cat tools/machine/packages.txt
}

compute_hash() {
  {
    echo "$release" && list_packages
    find tools/machine/root-files tools/machine/make-root.sh tools/image/add-node.sh \
      tools/image/enter-root.sh -type f | sort | xargs sha256sum
  } | sha256sum | cut -c 1-16
}

# enter NAMESPACE... -- SCRIPT: runs the script with the new root as `/`. Its mounts end with it.
enter() {
  local namespaces=()
  while [ "$1" != -- ]; do namespaces+=("$1") && shift; done
  unshare --mount --pid --fork --kill-child "${namespaces[@]}" -- \
    bash tools/image/enter-root.sh "$root" "$2"
}

# The packages are installed in a network of their own: PostgreSQL takes another port if 5432 is in
# use.
install_packages() {
  local packages
  packages=$(list_packages | xargs)
  echo "apt-get update && apt-get install --yes --no-install-recommends --download-only $packages" \
    >"$root/srv/download.sh"
  echo "apt-get install --yes --no-install-recommends --no-download $packages && apt-get clean" \
    >"$root/srv/install.sh"
  # Packages must not start servers.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 0755 "$root/usr/sbin/policy-rc.d"
  enter -- /srv/download.sh
  enter --net -- /srv/install.sh
  rm "$root/usr/sbin/policy-rc.d" "$root"/srv/*.sh
}

fill_root() {
  unshare --mount -- debootstrap --variant=minbase "$release" "$root"
  install_packages
  tools/image/add-node.sh "$root"
  cp -r --no-preserve=ownership tools/machine/root-files/. "$root/"
  mkdir -p "$root/opt/judge-data-layer"
  ln -sf /lib/systemd/system/serial-getty@.service \
    "$root/etc/systemd/system/getty.target.wants/serial-getty@ttyS0.service"
  # The messages of the kernel and the journal are on this line.
  ln -s /dev/null "$root/etc/systemd/system/serial-getty@ttyS1.service"
}

make_disk() {
  cp "$root"/boot/vmlinuz-* "$work/made/kernel"
  cp "$root"/boot/initrd.img-* "$work/made/initrd"
  truncate -s "$disk_size" "$work/made/root.ext4"
  mkfs.ext4 -q -L judge-root -d "$root" "$work/made/root.ext4"
}

folder=$cache/$release-$(compute_hash)
if [ ! -d "$folder" ]; then
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/making.XXXXXX")
  trap '[ $? = 0 ] || tail -n 40 "$work/log" >&2; rm -rf "$work"' EXIT
  root=$work/root
  mkdir "$work/made"
  echo "Making the disk of Debian $release, which takes several minutes …" >&2
  fill_root >"$work/log" 2>&1
  make_disk
  mv -T "$work/made" "$folder" || [ -d "$folder" ]
fi
echo "$folder"
