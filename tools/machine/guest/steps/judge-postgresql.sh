# judge.service with PostgreSQL.
. ./units.sh

make_database
install_units true
check_judge
[ ! -e /var/lib/judge-data-layer/database ] || fail 'there is an embedded database'
