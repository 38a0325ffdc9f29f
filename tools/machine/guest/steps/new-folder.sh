# judge.service makes the folder of the embedded database.
. ./units.sh

install_units sed -i '/database-url/d' /etc/systemd/system/judge.service
rm -r /var/lib/judge-data-layer
systemctl start judge
wait_until_ready judge
stop_cleanly judge
