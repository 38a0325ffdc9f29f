#!/usr/bin/env bash
# boot.sh ROOT_FOLDER PROJECT_DISK INPUT OUTPUT LOGS: boots a machine, prints its first serial line,
# and returns after its end. The disks keep their content, except for OUTPUT.
set -euo pipefail
cd "$(dirname "$0")"

root=$1 project=$2 input=$3 output=$4 logs=$5
# Only against a machine that hangs.
limit=${MACHINE_LIMIT:-6h}
folder=$(./make-emulator.sh)
libraries=$folder/usr/lib/x86_64-linux-gnu
export QEMU_MODULE_DIR=$libraries/qemu
emulator=(
  "$folder/usr/lib64/ld-linux-x86-64.so.2" --library-path "$libraries"
  "$folder/usr/bin/qemu-system-x86_64" -L "$folder/usr/share/qemu" -L "$folder/usr/share/seabios"
)
disk=if=none,format=raw,snapshot=on
machine=(
  -accel "${MACHINE_ACCELERATOR:-tcg,thread=multi,tb-size=1024}" -cpu max -smp 2 -m 6G
  -kernel "$root/kernel" -initrd "$root/initrd"
  -append 'root=LABEL=judge-root rw console=ttyS1,115200 panic=-1 no_timer_check'
  -drive "$disk,id=root,file=$root/root.ext4" -device virtio-blk-pci,drive=root
  -drive "$disk,id=project,file=$project" -device virtio-blk-pci,drive=project
  -drive "$disk,id=input,file=$input" -device virtio-blk-pci,drive=input,serial=input
  -drive "if=none,format=raw,id=output,file=$output"
  -device virtio-blk-pci,drive=output,serial=output
  -object rng-random,id=random,filename=/dev/urandom -device virtio-rng-pci,rng=random
  -nodefaults -display none -nic none -no-reboot
  -serial "file:$logs/terminal.log" -serial "file:$logs/console.log"
)

: >"$logs/terminal.log"
timeout --kill-after 10 "$limit" "${emulator[@]}" "${machine[@]}" \
  </dev/null >"$logs/qemu.log" 2>&1 &
emulation=$!
trap 'kill "$emulation" 2>/dev/null || true' EXIT
trap 'exit 143' TERM
tail --pid "$emulation" --lines +1 --follow "$logs/terminal.log" 2>/dev/null | sed -u 's|\r$||' &
printing=$!
code=0
wait "$emulation" || code=$?
wait "$printing" || true
[ "$code" = 0 ] || { echo "The machine ended with $code." >&2; cat "$logs/qemu.log" >&2; }
exit "$code"
