"""Sells on the marketplace. One file, nothing to install: python3 seller.py test | register | serve | list | buy"""

import base64
import hashlib
import json
import math
import os
import secrets
import socket
import struct
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
from datetime import date, datetime, timezone
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# ---- What you sell: replace it with your own. ----

LISTING = {
    "title": "Phase of the Moon on any day",
    "description": "Age, illuminated share and name of the phase of the Moon at noon UTC of a day, by the mean synodic month.",
    "preview": {"date": "2026-01-03", "ageHours": 346, "illuminatedPercent": 100, "phase": "full"},
    "priceCents": 0,
    "inputSchema": {"type": "object", "properties": {"date": {"type": "string", "format": "date"}}, "required": ["date"]},
    "exampleQuery": {"date": "2026-01-03"},
}
MONTH_HOURS = 29.530588853 * 24
NEW_MOON = datetime(2000, 1, 6, 18, 14, tzinfo=timezone.utc)
PHASES = ["new", "waxing crescent", "first quarter", "waxing gibbous", "full", "waning gibbous", "last quarter", "waning crescent"]


class QueryRefused(Exception):
    """A query that cannot be answered: the buyer is not charged, and it is no failure of yours."""


def deliver(listing_id, query):
    """The answer to one purchase, a dict, or None if there is none now. The query is what a stranger wrote."""
    try:
        day = date.fromisoformat(query.get("date"))
    except (TypeError, ValueError):
        raise QueryRefused("date has to be a day such as 2026-01-03")
    noon = datetime(day.year, day.month, day.day, 12, tzinfo=timezone.utc)
    age = ((noon - NEW_MOON).total_seconds() / 3600) % MONTH_HOURS
    share = age / MONTH_HOURS
    percent = math.floor(50 - 50 * math.cos(2 * math.pi * share) + 0.5)
    return {"date": day.isoformat(), "ageHours": int(age), "illuminatedPercent": percent, "phase": PHASES[round(share * 8) % 8]}


# ---- Ed25519, by the package `cryptography` where it is installed, else as RFC 8032 has it. ----

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def add(a, b):
    e, f = (a[1] - a[0]) * (b[1] - b[0]) % P, (a[1] + a[0]) * (b[1] + b[0]) % P
    g, h = 2 * a[3] * b[3] * D % P, 2 * a[2] * b[2] % P
    return ((f - e) * (h - g) % P, (h + g) * (f + e) % P, (h - g) * (h + g) % P, (f - e) * (f + e) % P)


def multiply(scalar, point):
    product = (0, 1, 1, 0)
    while scalar:
        if scalar & 1:
            product = add(product, point)
        point = add(point, point)
        scalar >>= 1
    return product


def decompress(encoded):
    y = int.from_bytes(encoded, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if y >= P or (x * x - square) % P or (x == 0 and sign):
        return None
    return (P - x if x & 1 != sign else x, y, 1, (P - x if x & 1 != sign else x) * y % P)


def compress(point):
    inverse = pow(point[2], P - 2, P)
    return (point[1] * inverse % P | (point[0] * inverse % P & 1) << 255).to_bytes(32, "little")


BASE = decompress((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def challenge_of(r, public_key, message):
    return int.from_bytes(hashlib.sha512(r + public_key + message).digest(), "little") % ORDER


def verifies_portable(public_key, message, signature):
    point, scalar = decompress(public_key), int.from_bytes(signature[32:], "little")
    if point is None or len(signature) != 64 or scalar >= ORDER:
        return False
    negative = (P - point[0], point[1], 1, P - point[3])
    expected = add(multiply(scalar, BASE), multiply(challenge_of(signature[:32], public_key, message), negative))
    return compress(expected) == signature[:32]


def verifies(public_key, message, signature):
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError:
        return verifies_portable(public_key, message, signature)
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
        return True
    except (InvalidSignature, ValueError):
        return False


def sign(secret, message):
    """For the test alone: the endpoint signs nothing."""
    digest = hashlib.sha512(secret).digest()
    scalar = int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254
    public_key = compress(multiply(scalar, BASE))
    nonce = int.from_bytes(hashlib.sha512(digest[32:] + message).digest(), "little") % ORDER
    r = compress(multiply(nonce, BASE))
    return public_key, r + ((nonce + challenge_of(r, public_key, message) * scalar) % ORDER).to_bytes(32, "little")


# ---- The endpoint. ----

MAX_BODY_BYTES = 2 * 1024 * 1024
BODY_SECONDS = 10
FRESH_SECONDS = 300


class Refused(Exception):
    def __init__(self, status, code, explanation):
        super().__init__(code)
        self.status, self.code, self.explanation = status, code, explanation


def unpadded(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def canonical(data):
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def is_plain(value):
    """Whether `canonical` is RFC 8785 for it: floats are written in other ways, and rare keys sort in others."""
    if isinstance(value, dict):
        return all(max(key, default=" ") < "\ud800" and is_plain(one) for key, one in value.items())
    return all(map(is_plain, value)) if isinstance(value, list) else not isinstance(value, float)


class Seller:
    def __init__(self, marketplace, callback_url, seller_id=None, keys=None, answers=".answers"):
        self.marketplace, self.callback_url, self.seller_id = marketplace, callback_url, seller_id
        self.keys, self.fetched_at, self.answers = keys or {}, -math.inf if keys is None else math.inf, Path(answers)
        self.seen, self.locks, self.lock = {}, {}, threading.Lock()

    def key(self, key_id):
        """Fetches the keys when first needed, and on an unknown id, at most every ten seconds."""
        with self.lock:
            if key_id not in self.keys and time.monotonic() - self.fetched_at > 10:
                self.fetched_at = time.monotonic()
                try:
                    with urllib.request.urlopen(f"{self.marketplace}/signing-key", timeout=5) as answer:
                        found = json.load(answer)["keys"]
                except (OSError, ValueError, KeyError) as error:
                    self.fetched_at = -math.inf
                    raise Refused(503, "keys_unavailable", f"No keys from {self.marketplace}/signing-key: {error}")
                self.keys = {one["keyId"]: unpadded(one["publicKeyRaw"]) for one in found}
            if key_id not in self.keys:
                raise Refused(401, "unknown_key", f"It is signed with a key that {self.marketplace} never published.")
            return self.keys[key_id]

    def check(self, headers, body):
        """Raises Refused, or returns the purchase that the message is for (None: of no purchase)."""
        timestamp, body_hash = headers.get("X-MKT-Timestamp", ""), hashlib.sha256(body).hexdigest()
        try:
            signature = unpadded(headers["X-MKT-Signature"])
            sent_at = datetime.fromisoformat(timestamp.replace("Z", "+00:00")).timestamp()
            key_id = headers["X-MKT-Key-Id"] or ""
        except (TypeError, ValueError, AttributeError):
            raise Refused(401, "not_signed", "It has no signature of the marketplace, or a proxy drops X-MKT- headers.")
        if headers.get("X-MKT-Body-Sha256") != body_hash:
            raise Refused(401, "body_mismatch", f"The {len(body)} bytes are not the ones that were signed.")
        public_key = self.key(key_id)
        signed = "\n".join(["POST", self.callback_url, timestamp, body_hash])
        if not verifies(public_key, signed.encode(), signature):
            raise Refused(401, "bad_signature", f"It was not signed for {self.callback_url}: is that what is registered?")
        ahead = time.time() - sent_at
        if abs(ahead) > FRESH_SECONDS:
            raise Refused(401, "stale", f"Your clock is {abs(ahead):.0f} s {'ahead' if ahead > 0 else 'behind'}, or it was sent again.")
        seller_id = headers.get("X-MKT-Seller-Id", "")
        if self.seller_id not in (None, seller_id):
            raise Refused(403, "other_seller", f"It is for another seller than {self.seller_id}: somebody registered your URL.")
        with self.lock:
            self.seen = {one: at for one, at in self.seen.items() if time.time() - at <= FRESH_SECONDS}
            if signature in self.seen:
                raise Refused(429, "replayed", "The very same message came before.")
            self.seen[signature] = sent_at
        second = headers.get("X-MKT-Delivery-Signature")
        if second is None:
            return None
        purchase, redelivery = headers.get("X-MKT-Purchase-Id", ""), headers.get("X-MKT-Redelivery", "")
        about = "\n".join(["MKT-DELIVERY", self.callback_url, timestamp, body_hash, seller_id, purchase, redelivery])
        try:
            holds = verifies(public_key, about.encode(), unpadded(second))
        except ValueError:
            holds = False
        if not holds:
            raise Refused(401, "bad_delivery_signature", "The headers that name the purchase were changed.")
        return f"{seller_id}.{purchase}"

    def answer(self, headers, body):
        purchase = self.check(headers, body)
        message = json.loads(body)
        if message.get("type") == "verification_challenge":
            return {"nonce": message["nonce"], **({"sellerId": self.seller_id} if self.seller_id else {})}
        if message.get("type") != "delivery_request":
            raise Refused(400, "unknown_message", "The marketplace sent a message of a new type.")
        ask = lambda: deliver(message["listingId"], message.get("query") or {})
        data = ask() if purchase is None else self.answer_once(purchase, ask)
        if data is None:
            return None
        return {"data": {**data, "__sha256": "sha256:" + hashlib.sha256(canonical(data)).hexdigest()} if is_plain(data) else data}

    def answer_once(self, purchase, ask):
        """One purchase has one answer, after a restart too, and under two requests at once."""
        path = self.answers / (hashlib.sha256(purchase.encode()).hexdigest() + ".json")
        with self.lock:
            lock = self.locks.setdefault(purchase, threading.Lock())
        with lock:
            if path.exists():
                return json.loads(path.read_text("utf-8"))
            data = ask()
            if data is not None:
                self.answers.mkdir(mode=0o700, exist_ok=True)
                written = path.with_suffix(f".{uuid.uuid4()}")
                written.write_text(json.dumps(data), "utf-8")
                written.chmod(0o600)
                written.replace(path)
        with self.lock:
            self.locks.pop(purchase, None)
        return data


def server_of(seller, port):
    class Handler(BaseHTTPRequestHandler):
        timeout = BODY_SECONDS

        def do_POST(self):
            try:
                answer = seller.answer(self.headers, self.read_body())
                status, answer = (404, {"available": False}) if answer is None else (200, answer)
            except Refused as refused:
                print(f"{refused.status} {refused.code}: {refused.explanation}", file=sys.stderr)
                status, answer = refused.status, {"error": refused.code}
            except QueryRefused:
                status, answer = 422, {"error": "query_refused"}
            except Exception as error:  # The buyer learns no more than that it failed.
                print(f"500: {error!r}", file=sys.stderr)
                status, answer = 500, {"error": "internal_error"}
            self.reply(status, answer)

        def do_GET(self):
            self.reply(405, {"error": "method_not_allowed"})

        do_PUT = do_DELETE = do_PATCH = do_OPTIONS = do_HEAD = do_GET

        def read_body(self):
            self.deadline = time.monotonic() + BODY_SECONDS
            # A proxy may send on in chunks what came to it with a length.
            if self.headers.get("Transfer-Encoding", "").strip().lower() == "chunked":
                return self.read_chunks()
            try:
                length = int(self.headers.get("Content-Length", ""))
            except ValueError:
                raise Refused(411, "length_required", "It has neither a length nor chunks.")
            return self.read_exactly(length)

        def read_chunks(self):
            body = b""
            while True:
                size = self.read_line().split(b";")[0].strip()
                if not 0 < len(size) <= 8 or size.strip(b"0123456789abcdefABCDEF"):
                    raise Refused(400, "body_malformed", "A chunk of the body has no length.")
                body += self.read_exactly(int(size, 16), len(body))
                # After a chunk its line ends; after the last one, of length 0, come the trailers, which say nothing here.
                while self.read_line():
                    if int(size, 16):
                        raise Refused(400, "body_malformed", "A chunk of the body is longer than it says.")
                if not int(size, 16):
                    return body

        def read_line(self):
            line = b""
            while not line.endswith(b"\n"):
                if len(line) > 1000:
                    raise Refused(400, "body_malformed", "A line between the chunks of the body does not end.")
                line += self.read_some(1)
            return line.strip()

        def read_exactly(self, length, before=0):
            if not 0 <= length <= MAX_BODY_BYTES - before:
                raise Refused(413, "body_too_large", "It is longer than any message of the marketplace.")
            body = b""
            while len(body) < length:
                body += self.read_some(length - len(body))
            return body

        def read_some(self, most):
            """What is there of the body by now, and at least a byte."""
            self.connection.settimeout(max(self.deadline - time.monotonic(), 0.001))
            try:
                part = self.rfile.read1(most)
            except TimeoutError:
                raise Refused(408, "body_too_slow", "The body was not there in time.")
            if not part:
                raise Refused(400, "body_incomplete", "The connection broke off.")
            return part

        def reply(self, status, answer):
            text = json.dumps(answer, ensure_ascii=False).encode()
            self.close_connection = True
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", "Content-Length": len(text), "Connection": "close"}.items():
                self.send_header(name, str(value))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(text)

        def log_message(self, *_):
            pass

    class Server(ThreadingHTTPServer):
        def handle_error(self, *which):
            # A client that hung up is no fault.
            if not isinstance(sys.exc_info()[1], ConnectionError):
                super().handle_error(*which)

    return Server(("", port), Handler)


# ---- What a seller says to the marketplace. What is learnt is kept in .env. ----


def settings():
    path, found = Path(".env"), {}
    if path.exists():
        found = dict(line.split("=", 1) for line in path.read_text("utf-8").splitlines() if "=" in line and line[0] != "#")
    return {**found, **{name: value for name, value in os.environ.items() if name in found}}


def remember(**values):
    with open(os.open(".env", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "w") as file:
        file.writelines(f"{name}={value}\n" for name, value in values.items())


def call(method, path, body=None, key=None):
    headers = {"Content-Type": "application/json", **({"Authorization": f"Bearer {key}"} if key else {})}
    request = urllib.request.Request(settings()["MARKETPLACE"] + path, json.dumps(body).encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as error:
        problem = json.loads(error.read() or b"{}")
        fields = [f"\n{one.get('path')}: {one.get('message')}" for one in problem.get("errors", [])]
        sys.exit(f"{problem.get('code', error.code)}: {problem.get('detail') or problem.get('title') or error}" + "".join(fields))
    except OSError as error:
        sys.exit(f"No answer from {settings()['MARKETPLACE']}: {error}")


def register():
    if "SELLER_KEY" in settings():
        return "Registered before: the key is in .env."
    answer = call("POST", "/sell/register", {"name": "__NAME__"})
    remember(SELLER_KEY=answer["apiKey"], SELLER_ID=answer["sellerId"])
    return f"Registered as seller {answer['sellerId']}. The key is in .env. Start the server anew, so that it knows its seller."


def list_it():
    key = settings().get("SELLER_KEY") or sys.exit("Register first: python3 seller.py register")
    call("POST", "/sell/callback", {"callbackUrl": settings()["CALLBACK_URL"]}, key)
    listed = settings().get("LISTING_ID")
    if listed:
        # The schema and the example stay as they were listed: for others, take LISTING_ID out of .env and list anew.
        changed = {name: LISTING[name] for name in ("title", "description", "preview", "priceCents")}
        call("PATCH", f"/marketplace/listings/{listed}", changed, key)
        return f"Changed: {listed}"
    answer = call("POST", "/marketplace/listings", {**LISTING, "consent": True}, key)
    remember(LISTING_ID=answer["listing"]["id"])
    missing = f" It goes live when somebody has connected payouts: {answer['claimUrl']}" if answer.get("claimUrl") else ""
    return f"For sale: {answer['listing']['id']} ({answer['listing']['status']}).{missing} Buy one: python3 seller.py buy"


def buy():
    listed = settings().get("LISTING_ID") or sys.exit("List it first: python3 seller.py list")
    key = call("POST", "/agents/register", {"name": "a buyer of __NAME__"})["apiKey"]
    answer = call("POST", f"/marketplace/listings/{listed}/purchase", {"query": LISTING["exampleQuery"]}, key)
    return f"{answer['status']}: {json.dumps(answer['content'], ensure_ascii=False)}"


def serve():
    found = settings()
    if not found.get("MARKETPLACE") or not found.get("CALLBACK_URL"):
        sys.exit("MARKETPLACE and CALLBACK_URL are not set: see .env.")
    seller = Seller(found["MARKETPLACE"], found["CALLBACK_URL"], found.get("SELLER_ID"))
    server = server_of(seller, int(found.get("PORT", "9000")))
    print(f"Serving {seller.callback_url} on port {server.server_port}.", flush=True)
    server.serve_forever()


def test():
    """Asks the endpoint as the marketplace would. Nothing is registered, and nothing leaves this machine."""
    import tempfile

    secret, url, seller_id = secrets.token_bytes(32), "https://seller.example/deliver", "test-seller"
    public_key, _ = sign(secret, b"")
    assert verifies(public_key, b"m", sign(secret, b"m")[1]) and verifies_portable(public_key, b"m", sign(secret, b"m")[1])
    assert not verifies_portable(public_key, b"n", sign(secret, b"m")[1])
    seller = Seller("none", url, seller_id, {"k": public_key}, Path(tempfile.mkdtemp()) / "answers")
    server = server_of(seller, 0)
    threading.Thread(target=server.serve_forever, daemon=True).start()

    def signed(message, purchase=None, redelivery="0"):
        body = json.dumps(message).encode()
        at, body_hash = datetime.now(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z"), hashlib.sha256(body).hexdigest()
        text = lambda *parts: base64.urlsafe_b64encode(sign(secret, "\n".join(parts).encode())[1]).decode().rstrip("=")
        headers = {"X-MKT-Key-Id": "k", "X-MKT-Signature": text("POST", url, at, body_hash), "X-MKT-Timestamp": at}
        headers |= {"X-MKT-Body-Sha256": body_hash, "X-MKT-Seller-Id": seller_id, "Content-Type": "application/json"}
        if purchase:
            about = text("MKT-DELIVERY", url, at, body_hash, seller_id, purchase, redelivery)
            headers |= {"X-MKT-Purchase-Id": purchase, "X-MKT-Redelivery": redelivery, "X-MKT-Delivery-Signature": about}
        return body, headers

    def send(body, headers, method="POST"):
        request = urllib.request.Request(f"http://127.0.0.1:{server.server_port}/deliver", body, headers, method=method)
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as error:
            return error.code, json.load(error)

    def expect(what, found, expected):
        print(f"{'ok' if found == expected else 'NOT OK'}: {what}: {found}")
        if found != expected:
            sys.exit(f"expected {expected}")

    request = lambda query: {"type": "delivery_request", "listingId": "l", "query": query}
    expect("the challenge", send(*signed({"type": "verification_challenge", "nonce": "n"})), (200, {"nonce": "n", "sellerId": seller_id}))
    first = signed(request(LISTING["exampleQuery"]), "p")
    started = time.perf_counter()
    status, sold = send(*first)
    print(f"answered in {1000 * (time.perf_counter() - started):.0f} ms")
    digest = sold["data"].pop("__sha256")
    expect("a purchase", (status, sold["data"], digest[:7]), (200, LISTING["preview"], "sha256:"))
    expect("the same purchase again", send(*signed(request({"date": "2000-01-01"}), "p", "1"))[1]["data"]["date"], "2026-01-03")
    expect("a query that cannot be answered", send(*signed(request({"date": "tomorrow"}), "q")), (422, {"error": "query_refused"}))
    expect("a replay", send(*first), (429, {"error": "replayed"}))
    expect("a changed body", send(first[0] + b" ", first[1]), (401, {"error": "body_mismatch"}))
    expect("another purchase's name", send(first[0], {**signed(request({}), "q")[1], "X-MKT-Purchase-Id": "p"})[0], 401)
    body, headers = signed(request(LISTING["exampleQuery"]))
    expect("a body in chunks", send(iter([body[:7], body[7:]]), headers)[1]["data"]["date"], "2026-01-03")
    for what, chunks, refused in [
        ("a chunk without a length", b"\r\n", b"body_malformed"),
        ("a chunk longer than it says", b"1\r\n{}\r\n0\r\n\r\n", b"body_malformed"),
        ("chunks longer than any message", b"ffffffff\r\n", b"body_too_large"),
        ("trailers after the chunks", b"2\r\n{}\r\n0\r\nX-A: 1\r\n\r\n", b"not_signed"),
    ]:
        with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
            connection.sendall(b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks)
            expect(what, refused in connection.makefile("rb").read(), True)
    with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
        # Closed so, the connection is reset.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    expect("no signature", send(b"{}", {}), (401, {"error": "not_signed"}))
    expect("GET", send(None, {}, "GET")[0], 405)


if __name__ == "__main__":
    commands = {"test": test, "register": register, "serve": serve, "list": list_it, "buy": buy}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        sys.exit(__doc__)
    try:
        print(commands[sys.argv[1]]() or "", end="\n" if sys.argv[1] not in ("test", "serve") else "")
    except KeyboardInterrupt:
        pass
