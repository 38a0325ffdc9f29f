#!/usr/bin/env bash
# npm run machine [-- RELEASE... STEP...]: boots Debian in a virtual machine and runs the steps
# there. Without a release: bookworm and trixie. Without a step: all of guest/steps.txt.
set -euo pipefail
cd "$(dirname "$0")"

cache=${MACHINE_CACHE:-/var/tmp/judge-machine}
releases=() steps=()
work=

clean_up() {
  local job
  for job in $(jobs -p); do kill "$job" && wait "$job" || true; done
  [ -z "$work" ] || rm -rf "$work"
}

usage() {
  echo "usage: npm run machine [-- RELEASE... STEP...]"
  echo "releases: bookworm trixie"
  echo "steps: $(xargs <guest/steps.txt)"
  exit 64
}

read_arguments() {
  local word
  for word in "$@"; do
    case $word in
      bookworm | trixie) releases+=("$word") ;;
      *) grep -qx -e "$word" guest/steps.txt || usage >&2; steps+=("$word") ;;
    esac
  done
  [ ${#releases[@]} -gt 0 ] || releases=(bookworm trixie)
  [ ${#steps[@]} -gt 0 ] || mapfile -t steps <guest/steps.txt
}

check_requirements() {
  local command missing=()
  [ "$(id -u)" = 0 ] || { echo 'npm run machine needs root' >&2; exit 1; }
  for command in debootstrap mkfs.ext4 ip npm; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$command" >/dev/null || missing+=("$command")
  done
  [ ${#missing[@]} -eq 0 ] || { echo "not installed: ${missing[*]}" >&2; exit 1; }
}

# A disk whose content is a tar archive: the scripts of the guest, the release and the steps.
make_input() {
  mkdir "$work/input"
  cp -r guest "$work/input/guest"
  cp ../image/judge-programs.js "$work/input/guest/"
  echo "$1" >"$work/input/release"
  printf '%s\n' "${steps[@]}" >"$work/input/steps"
  tar -C "$work/input" --owner root:0 --group root:0 -cf "$work/input.tar" .
  rm -r "$work/input"
}

# run_release RELEASE: the lines of the outcome go to the file `outcomes`.
run_release() {
  local release=$1 logs=$run/$1 root step
  mkdir "$logs"
  root=$(./make-root.sh "$release")
  make_input "$release"
  truncate -s 1G "$work/output"
  echo "== $release"
  ./boot.sh "$root" "$work/project.ext4" "$work/input.tar" "$work/output" "$logs" &
  wait $! || true
  tar -C "$logs" -xf "$work/output" || true
  [ -f "$logs/journal.log" ] || echo "The machine ended before its steps: see $logs/console.log" >&2
  tr -d '\r' <"$logs/terminal.log" |
    grep -aE "^(versions|passed|FAILED)  $release  " >>"$work/outcomes" || true
  for step in setup "${steps[@]}"; do
    grep -qE "^(passed|FAILED)  $release  $step\$" "$work/outcomes" ||
      echo "FAILED  $release  $step" >>"$work/outcomes"
  done
}

print_table() {
  {
    echo 'release  kernel  systemd  bubblewrap  node  postgresql  rabbitmq'
    sed -n 's/^versions  //p' "$work/outcomes"
  } | column -t
  echo
  {
    echo 'release step outcome'
    awk '/^(passed|FAILED)/ { print $2, $3, $1 }' "$work/outcomes"
  } | column -t
  echo
  echo "Logs: $run"
}

read_arguments "$@"
check_requirements
export PATH=$PATH:/usr/sbin:/sbin
trap clean_up EXIT
trap 'exit 143' TERM
mkdir -p "$cache/logs"
work=$(mktemp -d "$cache/run.XXXXXX")
run=$(mktemp -d "$cache/logs/$(date +%Y-%m-%d-%H%M).XXX")
export TMPDIR=$work
echo "Logs: $run"
./make-project.sh "${MACHINE_SOURCE:-$work/project}" "$work/project.ext4"
for release in "${releases[@]}"; do run_release "$release"; done
print_table
failed=$(grep -c '^FAILED' "$work/outcomes" || true)
echo "$(grep -c '^passed' "$work/outcomes" || true) passed, $failed failed"
[ "$failed" = 0 ]
