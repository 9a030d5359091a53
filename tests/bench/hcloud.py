#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Answers what `hcloud server list` asks, from bytes made beforehand: hcloud.py [SERVERS]. Prints its address."""
import http.server
import json
import sys
import urllib.parse

LOCATION = {"id": 1, "name": "fsn1", "city": "Falkenstein", "country": "DE", "description": "", "latitude": 0.0,
            "longitude": 0.0, "network_zone": "eu-central"}
TYPE = {"id": 1, "name": "cx11", "description": "CX11", "cores": 1, "memory": 2.0, "disk": 20, "prices": [],
        "storage_type": "local", "cpu_type": "shared", "architecture": "x86"}
IMAGE = {"id": 1, "type": "system", "status": "available", "name": "debian-12", "description": "Debian 12",
         "created": "2026-01-01T00:00:00+00:00", "os_flavor": "debian", "os_version": "12", "architecture": "x86"}


def server(i):
    net = {"ipv4": {"id": i, "ip": f"10.{i >> 16 & 255}.{i >> 8 & 255}.{i & 255}", "blocked": False, "dns_ptr": "a.example"},
           "ipv6": {"id": i, "ip": "2001:db8::/64", "blocked": False, "dns_ptr": []}, "floating_ips": [], "firewalls": []}
    return {"id": i, "name": f"i{i}", "status": "running", "created": "2026-01-01T00:00:00+00:00", "public_net": net,
            "private_net": [], "server_type": TYPE, "image": IMAGE, "iso": None, "rescue_enabled": False, "locked": False,
            "datacenter": {"id": 1, "name": "fsn1-dc14", "description": "", "location": LOCATION}, "labels": {},
            "backup_window": None, "outgoing_traffic": 0, "ingoing_traffic": 0, "included_traffic": 0, "volumes": [],
            "protection": {"delete": False, "rebuild": False}, "primary_disk_size": 20, "placement_group": None}


def page(total, number, size):
    last = max(1, -(-total // size))
    shown = [server(i) for i in range((number - 1) * size + 1, min(number * size, total) + 1)]
    return json.dumps({"servers": shown, "meta": {"pagination": {
        "page": number, "per_page": size, "previous_page": number - 1 or None,
        "next_page": number + 1 if number < last else None, "last_page": last, "total_entries": total}}}).encode()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    wbufsize = -1
    total, known = 50, {}

    def do_GET(self):
        asked = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        key = int(asked.get("page", 1)), int(asked.get("per_page", 25))
        if key not in self.known:
            self.known[key] = page(self.total, *key)
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.known[key])))
        self.end_headers()
        self.wfile.write(self.known[key])

    def log_message(self, *args):
        pass


def main():
    Handler.total = int(sys.argv[1]) if len(sys.argv) > 1 else Handler.total
    s = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    s.daemon_threads = True
    print(f"http://127.0.0.1:{s.server_port}/v1", flush=True)
    s.serve_forever()


if __name__ == "__main__":
    main()
