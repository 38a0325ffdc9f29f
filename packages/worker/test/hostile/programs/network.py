# Looks for a network: interfaces, addresses of clouds and name servers, the judge's port.
import socket
import sys

port = int(sys.stdin.read().split()[0])
for line in open("/proc/net/dev").readlines()[2:]:
    if line.split(":")[0].strip() != "lo":
        print("GAINED interface", line)
for table in ["tcp", "udp", "unix", "arp", "route"]:
    if len(open("/proc/net/" + table).readlines()) > 1:
        print("GAINED the table", table)
for address in ["127.0.0.1", "169.254.169.254", "10.0.0.1", "172.17.0.1", "192.168.1.1", "8.8.8.8"]:
    for number in [port, 53, 80, 5432, 5672]:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as end:
            end.settimeout(0.2)
            if end.connect_ex((address, number)) == 0:
                print("GAINED tcp", address, number)
    if address == "127.0.0.1":
        continue
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        try:
            end.sendto(b"hostile", (address, 53))
            print("GAINED udp", address)
        except OSError:
            pass
print("done")
