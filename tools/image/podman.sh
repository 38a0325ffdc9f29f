# Sourced by build.sh and check.sh: Podman with images and containers in a folder of their own.
storage=${IMAGE_STORAGE:-/var/tmp/judge-images}

# Hosts with control groups of version 1 need runc: crun refuses a mixture of both versions.
engine() {
  podman --root "$storage/storage" --runroot "$storage/run" --cgroup-manager cgroupfs \
    --runtime "$(command -v runc || PATH=$PATH:/usr/sbin command -v runc)" "$@"
}
