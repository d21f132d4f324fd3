"""Prints the signature of a request. ../README.md says how to call it."""
import os
import sys

# #region sign
import hashlib
import hmac
from urllib.parse import quote


def sign(method, path, query, body, timestamp, nonce, secret):
    """query: pairs of decoded name and value; body: the exact bytes that are sent."""
    lines = [
        method,
        path,
        canonical_query(query),
        hashlib.sha256(body).hexdigest(),
        timestamp,
        nonce,
    ]
    return hmac.new(secret.encode(), "\n".join(lines).encode(), hashlib.sha256).hexdigest()


def canonical_query(query):
    signed = sorted((pair for pair in query if pair[0] != "token"), key=lambda pair: pair[0])
    return "&".join(quote(name, safe="") + "=" + quote(value, safe="") for name, value in signed)
# #endregion


if __name__ == "__main__":
    secret = os.environ.get("CORPRAIL_SIGNING_SECRET", "")
    if len(sys.argv) < 5 or secret == "":
        sys.exit("CORPRAIL_SIGNING_SECRET=sig_... sign METHOD PATH TIMESTAMP NONCE [name=value ...] < body")
    method, path, timestamp, nonce, *pairs = sys.argv[1:]
    query = [tuple(pair.split("=", 1)) for pair in pairs]
    print(sign(method, path, query, sys.stdin.buffer.read(), timestamp, nonce, secret))
