# Runs the steps in the session of the autologin. The session starts again if they end early.
[ "$(tty)" = /dev/ttyS0 ] || return 0
mkdir /run/machine || poweroff
tar -xf /dev/disk/by-id/virtio-input -C /run/machine
exec bash /run/machine/guest/drive.sh
