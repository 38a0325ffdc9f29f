# judge-service and judge-worker with PostgreSQL and RabbitMQ, by the last lines of "Install on
# Debian".
. ./units.sh

make_database
install_units true
lines=$(print_install_lines '^systemctl daemon-reload' '^no such line')
# An emulated CPU needs more tries.
bash -euvo pipefail -c "$(sed 's/^curl -fsS --retry 30/curl -fs --retry 3600/' <<<"$lines")"
wait_for_worker judge-worker
systemctl daemon-reload
judge_programs
check_isolation judge-worker
stop_cleanly judge-worker
stop_cleanly judge-service
expect_no_groups
systemctl disable judge-service judge-worker
