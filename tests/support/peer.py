# SPDX-License-Identifier: MIT
"""A service that answers what a test says, or waits until it says so."""
import http.server
import json
import socket
import threading


class Peer:
    """answer(method, path) gives (status, object), or None to hang up."""

    def __init__(self, answer, family=socket.AF_INET):
        peer, self.requests, self.answer = self, [], answer

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def respond(self):
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                peer.requests.append((self.command, self.path))
                got = peer.answer(self.command, self.path)
                if got is None:
                    self.close_connection = True
                    return
                body = json.dumps(got[1]).encode()
                try:
                    self.send_response(got[0])
                    self.send_header("Content-Type", "application/json")
                    self.send_header("Content-Length", str(len(body)))
                    self.end_headers()
                    self.wfile.write(body)
                except OSError:
                    self.close_connection = True

            do_GET = do_POST = do_PATCH = do_DELETE = respond

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            address_family, daemon_threads = family, True

        self.server = Server(("::1" if family == socket.AF_INET6 else "127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        self.place = f"[::1]:{self.port}" if family == socket.AF_INET6 else f"127.0.0.1:{self.port}"
        self.url = f"http://{self.place}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


def page(items):
    return 200, {"items": items, "next_cursor": None}
