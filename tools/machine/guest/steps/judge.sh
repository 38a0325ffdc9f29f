# judge.service with the embedded database, as deploy/README.md says.
. ./units.sh

install_units sed -i '/database-url/d' /etc/systemd/system/judge.service
check_judge
others=$(find /var/lib/judge-data-layer -not -user judge)
[ -z "$others" ] || fail "files of another user: $others"
