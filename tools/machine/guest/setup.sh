# Runs the lines of "Install on Debian" up to the units, except for the downloads. Adds settings
# with which the steps can make an admin.
. ./lib.sh

lines=$(print_install_lines '^ln -s' '^systemctl daemon-reload' | grep -v '^git clone')
[ "$(wc -l <<<"$lines")" -ge 10 ] || fail 'docs/operations.md has no install lines'
# The login can come before the servers have started.
systemctl start postgresql rabbitmq-server
bash -euvo pipefail -c "$lines"
cat >>/etc/judge-data-layer/service.env <<'END'
BASIC_REGISTRATION_ENABLED=true
ADMIN_EMAILS=machine@example.org
END
adduser --disabled-password --gecos '' ulla
loginctl enable-linger ulla
