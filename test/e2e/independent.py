"""Checks what the marketplace signed, with nothing of its code: Python for JSON, OpenSSL for Ed25519.

Reads {"keys": {keyId: PEM}, "checks": [...]} from standard input and prints the faults as a JSON list.
A check is {"kind": "response", "text"}, {"kind": "rpc", "text"}, {"kind": "statement", "statement", "receipt"} or
{"kind": "post", "url", "headers", "body"}.
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile


def canonical(value):
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def signed_by(pem, message, signature):
    raw = base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4))
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, data in (("key", pem.encode()), ("message", message), ("signature", raw)):
            paths[name] = os.path.join(folder, name)
            with open(paths[name], "wb") as file:
                file.write(data)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", paths["key"], "-rawin"]
        command += ["-in", paths["message"], "-sigfile", paths["signature"]]
        return subprocess.run(command, capture_output=True).returncode == 0


def fault_of_receipt(keys, receipt, payloads):
    for way, payload in payloads.items():
        if digest(payload) != receipt["digest"]:
            return f"digest differs, {way}"
    if receipt["keyId"] not in keys:
        return "unknown key"
    message = f'{receipt["keyId"]}.{receipt["signedAt"]}.{receipt["digest"]}'.encode()
    return None if signed_by(keys[receipt["keyId"]], message, receipt["signature"]) else "bad signature"


def fault_of_response(keys, text):
    body = json.loads(text)
    receipt = body.pop("provenance")["receipt"]
    cut = text[: text.rindex('"provenance":{"docs":')].rstrip(",") + "}"
    served = json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode()
    return fault_of_receipt(keys, receipt, {"cut": cut.encode(), "served": served, "sorted": canonical(body)})


def fault_of_rpc(keys, text):
    body = json.loads(text)
    faults = [fault_of_rpc_answer(keys, one) for one in (body if isinstance(body, list) else [body])]
    return next(filter(None, faults), None)


def fault_of_rpc_answer(keys, answer):
    if "error" in answer:
        signed = answer["error"]
        receipt = signed["data"].pop("provenance")["receipt"]
    else:
        signed = answer["result"]
        provenance = signed["_meta"].pop("agent-marketplace/provenance")
        if not signed["_meta"]:
            del signed["_meta"]
        if "structuredContent" in signed:
            signed = signed["structuredContent"]
            if signed.pop("provenance") != provenance:
                return "two provenances"
        receipt = provenance["receipt"]
    served = json.dumps(signed, separators=(",", ":"), ensure_ascii=False).encode()
    return fault_of_receipt(keys, receipt, {"served": served, "sorted": canonical(signed)})


def fault_of_post(keys, check):
    headers, body = check["headers"], check["body"].encode()
    if hashlib.sha256(body).hexdigest() != headers["x-mkt-body-sha256"]:
        return "body hash differs"
    if headers["x-mkt-signature-alg"] != "ed25519":
        return "another algorithm"
    parts = ["POST", check["url"], headers["x-mkt-timestamp"], headers["x-mkt-body-sha256"]]
    good = signed_by(keys[headers["x-mkt-key-id"]], "\n".join(parts).encode(), headers["x-mkt-signature"])
    return None if good else "bad signature"


def fault_of(keys, check):
    if check["kind"] == "response":
        return fault_of_response(keys, check["text"])
    if check["kind"] == "rpc":
        return fault_of_rpc(keys, check["text"])
    if check["kind"] == "statement":
        return fault_of_receipt(keys, check["receipt"], {"sorted": canonical(check["statement"])})
    return fault_of_post(keys, check)


given = json.load(sys.stdin)
faults = [fault_of(given["keys"], check) for check in given["checks"]]
print(json.dumps([f"{check}: {fault}" for check, fault in zip(given["checks"], faults) if fault]))
