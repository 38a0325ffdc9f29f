#!/usr/bin/env bash
# compose.sh: builds the images with Docker, starts each compose file, with and without `init: true`,
# and judges 200 programs. Fails if a program gets a wrong verdict, if processes of programs are left,
# or if a container ends with another exit code than 0. Needs root, docker.io with the plugin
# compose, debootstrap, and the ports 80, 443 and 5000.
set -euo pipefail
cd "$(dirname "$0")/../.."

. tools/image/docker.sh
work=$(mktemp -d /var/tmp/judge-compose.XXXXXX)
files=()
clean_up() {
  [ ${#files[@]} -eq 0 ] || remove || true
  stop_engine
  rm -rf "$work"
}
trap clean_up EXIT

# The compose files name ./secrets and ./deploy/caddy.
compose() { docker compose --project-name judge-check --project-directory "$work" "${files[@]}" "$@"; }

remove() { compose down --volumes --remove-orphans >/dev/null 2>&1; }

fail() {
  echo "FAILED: $1" >&2
  compose logs --tail 20 >&2 || true
  exit 1
}

# As docs/containers.md says.
make_secrets() {
  mkdir -p -m 700 "$work/secrets" "$work/deploy"
  cp -r deploy/caddy "$work/deploy/"
  (cd "$work/secrets"
    for name in jwt_signing_secret judge_password web_bridge_secret postgres_password rabbitmq; do
      openssl rand -hex 32 >$name
    done
    echo "postgres://judge:$(cat postgres_password)@database/judge" >database_url
    printf 'default_user = judge\ndefault_pass = %s\n' "$(cat rabbitmq)" >rabbitmq_account
    echo "amqp://judge:$(cat rabbitmq)@queue" >amqp_url
    chmod 444 ./*)
}

# use_file FILE: the compose file with the changes of the standard input; without what an earlier run
# has left.
use_file() {
  cat >"$work/override.yaml"
  files=(--file "$1" --file "$work/override.yaml")
  remove
}

# count SERVICE: the processes of its container, and the zombies among them.
count() {
  compose exec -T "$1" sh -c 'cat /proc/[0-9]*/stat 2>/dev/null' |
    awk '/^[0-9]+ \(.*\) Z / { zombies += 1 } END { print NR " processes, " zombies + 0 " zombies" }'
}

# Ten programs in five languages, 20 times.
judge_programs() {
  for _ in $(seq 20); do
    EMAIL=ada@example.org PASSWORD=$password NODE_TLS_REJECT_UNAUTHORIZED=0 NODE_NO_WARNINGS=1 \
      node tools/image/judge-programs.js "$1" C C++ Java JavaScript Python >"$work/verdicts" ||
      fail "$(cat "$work/verdicts")"
  done
}

# check URL SERVICE: judges, and compares the processes before and after.
check() {
  local before after
  sleep 2
  before=$(count "$2")
  judge_programs "$1"
  sleep 2
  after=$(count "$2")
  [ "$before" = "$after" ] || fail "$2 had $before, and $after after 200 programs"
  [[ $after = *' 0 zombies' ]] || fail "$2 has $after"
  compose stop >/dev/null 2>&1
  [ -z "$(compose ps --all --format '{{.ExitCode}}' | grep -vx 0)" ] || fail "$(compose ps --all)"
  echo "works: $2 judges 200 programs; before and after: $after"
  remove
}

create_admin() {
  echo "$password" | compose run --rm -T "$1" admin create --name Ada --email ada@example.org --admin \
    --password-stdin
}

check_all() {
  use_file compose.yaml <<<"services: { worker: { init: $1 }, service: { environment: $limits } }"
  compose up --detach --wait --no-build >/dev/null 2>&1 || fail 'start of compose.yaml'
  create_admin service >/dev/null 2>&1 || fail 'admin create'
  check https://localhost worker
}

check_small() {
  use_file compose.small.yaml <<<"services: { judge: { init: $1, environment: $limits } }"
  compose run --rm -T judge migrate >/dev/null 2>&1 || fail migrate
  create_admin judge >/dev/null 2>&1 || fail 'admin create'
  compose up --detach --wait --no-build >/dev/null 2>&1 || fail 'start of compose.small.yaml'
  check http://127.0.0.1:5000 judge
}

[ "$(id -u)" = 0 ] || { echo 'compose.sh needs root' >&2; exit 1; }
export JUDGE_HOST=localhost
password='password of the check'
limits='{ RATE_LIMIT_SUBMISSIONS: 1000000/1000000 }'
start_engine
docker compose version >/dev/null
build_images "$work/root"
make_secrets
for init in true false; do
  echo "init: $init"
  check_small "$init"
  check_all "$init"
done
echo 'The compose files work.'
