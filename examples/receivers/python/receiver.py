"""Receives Corprail's callbacks. ../README.md says how to start it. Python 3.8 or later."""
import hashlib
import hmac
import json
import os
import re
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

FRESH_SECONDS = 300
MAX_BODY_BYTES = 64 * 1024

TOKEN = os.environ.get("CORPRAIL_TOKEN", "")
SECRET = os.environ.get("CORPRAIL_CALLBACK_SECRET", "")
STATE = Path(os.environ.get("STATE_DIR", "receiver-state"))


# #region verify
def same(key, message, given):
    return hmac.compare_digest(hmac.new(key.encode(), message, hashlib.sha256).hexdigest().encode(), given.encode())


def verified_query(query):
    """Version 2: the hash covers every parameter that arrived except itself. Returns its fields, or None."""
    pairs = parse_qsl(query, keep_blank_values=True, strict_parsing=True, errors="strict")
    fields = dict(pairs)
    given = fields.pop("hash", "")
    if TOKEN == "" or len(fields) + 1 != len(pairs):
        return None
    text = "&".join(f"{name}={fields[name]}" for name in sorted(fields))
    return fields if same(TOKEN, text.encode(), given) and fields.get("v") == "2" else None


def verified_body(body, given):
    """Version 3: the signature covers the exact bytes, so it is checked before parsing. Returns its fields, or None."""
    if SECRET == "" or not same(SECRET, body, given):
        return None
    fields = json.loads(body)
    return fields if fields.get("v") == "3" else None
# #endregion


# #region book
def once(kind, key):
    """True the first time. In production, use an insert into a table with a unique key."""
    folder = STATE / kind
    folder.mkdir(parents=True, exist_ok=True)
    try:
        (folder / hashlib.sha256(key.encode()).hexdigest()).touch(exist_ok=False)
        return True
    except FileExistsError:
        return False


def take(fields):
    """Returns the answer to a callback whose signature is valid."""
    now = int(os.environ.get("CLOCK_SECONDS", time.time()))
    ts, nonce = fields.get("ts", ""), fields.get("nonce", "")
    if not re.fullmatch("[0-9]{10}", ts) or abs(now - int(ts)) > FRESH_SECONDS:
        return 403, "stale"
    if nonce == "" or not once("nonces", nonce):
        return 403, "replayed"
    if fields.get("event") == "complaint":
        key = "complaint " + fields["complaint_ref"]
    else:
        key = fields["orderid"] + " " + fields["status"]  # A FAILED after a SUCCESS has another key: it must be applied.
    if not once("booked", key):
        return 200, "known"
    if fields.get("test") == "1":
        return 200, "test"
    return 200, "booked"  # Here your own work: in one transaction with the key.
# #endregion


class Receiver(BaseHTTPRequestHandler):
    def answer(self, status, text):
        body = (text + "\n").encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def handle_callback(self, verify):
        try:
            fields = verify()
        except (ValueError, AttributeError):
            fields = None
        try:
            status, text = (403, "wrong signature") if fields is None else take(fields)
        except OSError as error:
            print(error, file=sys.stderr)
            status, text = 500, "not booked"  # Not 2xx: it will be sent again.
        if status == 200:
            print(json.dumps({"result": text, **fields}), flush=True)
        self.answer(status, text)

    def do_GET(self):
        self.handle_callback(lambda: verified_query(urlsplit(self.path).query))

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdigit() or int(length) > MAX_BODY_BYTES:
            self.answer(400, "not a callback")
            return
        body = self.rfile.read(int(length))
        self.handle_callback(lambda: verified_body(body, self.headers.get("X-Callback-Signature", "")))

    def log_message(self, *_):
        pass  # The request line of version 2 is not for logs that others read.


if __name__ == "__main__":
    if TOKEN == "" and SECRET == "":
        sys.exit("Set CORPRAIL_TOKEN (version 2) or CORPRAIL_CALLBACK_SECRET (version 3), or both.")
    ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "3000"))), Receiver).serve_forever()
