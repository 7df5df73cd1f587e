"""Checks a transparency log with nothing of the marketplace's code: Python for hashes, OpenSSL for Ed25519.

Written from RFC 6962, RFC 9162 and the texts of c2sp.org (signed-note, tlog-checkpoint, tlog-cosignature, tlog-tiles,
tlog-proof). Reads {"log": vkey, "witnesses": [vkey], "checks": [...]} from standard input and prints the faults as a JSON
list. Hashes and leaves are base64. A check is one of:

{"kind": "note", "text", "vkey"}                       the note is signed by this key
{"kind": "checkpoint", "text", "cosignatures": n}      signed by the log, and cosigned by n of the witnesses
{"kind": "root", "leaves", "root"}                     the tree of these leaves has this root
{"kind": "inclusion", "proof", "leaf"}                 a tlog-proof of this leaf
{"kind": "consistency", "older", "newer", "hashes"}    between two checkpoints
{"kind": "surface", "url", "digests", "older"}         everything, from what the log answers over HTTP: the checkpoint,
                                                       each leaf, each tile, the proof of each digest, growth from "older"
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import urllib.request

ED25519_DER = bytes.fromhex("302a300506032b6570032100")


class Fault(Exception):
    pass


def require(holds, fault):
    if not holds:
        raise Fault(fault)


def unbase64(text):
    return base64.b64decode(text, validate=True)


def openssl_verifies(public_key, message, signature):
    encoded = base64.b64encode(ED25519_DER + public_key).decode()
    pem = f"-----BEGIN PUBLIC KEY-----\n{encoded}\n-----END PUBLIC KEY-----\n".encode()
    with tempfile.TemporaryDirectory() as folder:
        paths = {}
        for name, data in (("key", pem), ("message", message), ("signature", signature)):
            paths[name] = os.path.join(folder, name)
            with open(paths[name], "wb") as file:
                file.write(data)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-inkey", paths["key"], "-rawin"]
        command += ["-in", paths["message"], "-sigfile", paths["signature"]]
        return subprocess.run(command, capture_output=True).returncode == 0


def parse_vkey(vkey):
    name, key_id, encoded = vkey.split("+", 2)
    data = unbase64(encoded)
    computed = hashlib.sha256(name.encode() + b"\n" + data).digest()[:4].hex()
    require(computed == key_id, f"the id of {name} is not its own")
    return name, key_id, data[0], data[1:]


def parse_note(note):
    end = note.rindex("\n\n")
    signatures = []
    for line in note[end + 2 :].splitlines():
        dash, name, encoded = line.split(" ")
        require(dash == "\u2014", "a signature line begins with another dash")
        data = unbase64(encoded)
        signatures.append((name, data[:4].hex(), data[4:]))
    return note[: end + 1], signatures


def times_signed(note, vkey):
    """None: not signed by this key. Else the time of a cosignature, or 0."""
    name, key_id, kind, public_key = parse_vkey(vkey)
    text, signatures = parse_note(note)
    for signer, signer_id, signature in signatures:
        if (signer, signer_id) != (name, key_id):
            continue
        if kind == 1:
            require(openssl_verifies(public_key, text.encode(), signature), f"bad signature of {name}")
            return 0
        require(kind == 4 and len(signature) == 72, f"no cosignature/v1 of {name}")
        seconds = int.from_bytes(signature[:8], "big")
        message = f"cosignature/v1\ntime {seconds}\n{text}".encode()
        require(openssl_verifies(public_key, message, signature[8:]), f"bad cosignature of {name}")
        return seconds
    return None


def read_checkpoint(note, given, cosignatures=0):
    require(times_signed(note, given["log"]) == 0, "the log did not sign the checkpoint")
    signed = [times_signed(note, vkey) for vkey in given["witnesses"]]
    require(len([one for one in signed if one]) >= cosignatures, "too few cosignatures")
    origin, size, root = note.split("\n")[:3]
    require(origin == parse_vkey(given["log"])[0], "another origin")
    return int(size), unbase64(root)


def leaf_hash(leaf):
    return hashlib.sha256(b"\x00" + leaf).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\x01" + left + right).digest()


def tree_root(hashes):
    """RFC 6962, section 2.1, from the hashes of the leaves."""
    if not hashes:
        return hashlib.sha256(b"").digest()
    if len(hashes) == 1:
        return hashes[0]
    split = 1 << ((len(hashes) - 1).bit_length() - 1)
    return node_hash(tree_root(hashes[:split]), tree_root(hashes[split:]))


def root_of_inclusion(leaf, index, size, path):
    """RFC 9162, section 2.1.3.2."""
    require(index < size, "the leaf is outside of the tree")
    at, last, found = index, size - 1, leaf
    for sibling in path:
        require(last != 0, "the proof is too long")
        if at & 1 or at == last:
            found = node_hash(sibling, found)
            while not at & 1 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, sibling)
        at, last = at >> 1, last >> 1
    require(last == 0, "the proof is too short")
    return found


def check_consistency(old_size, old_root, size, root, path):
    """RFC 9162, section 2.1.4.2."""
    require(old_size <= size, "the tree shrank")
    if old_size == size or old_size == 0:
        require(not path, "a proof where there is nothing to prove")
        require(old_size == 0 or old_root == root, "two roots of one size")
        return
    path = list(path)
    if old_size & (old_size - 1) == 0:
        path.insert(0, old_root)
    at, last = old_size - 1, size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    old_found = found = path[0]
    for node in path[1:]:
        require(last != 0, "the proof is too long")
        if at & 1 or at == last:
            old_found, found = node_hash(node, old_found), node_hash(node, found)
            while not at & 1 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            found = node_hash(found, node)
        at, last = at >> 1, last >> 1
    require(last == 0 and old_found == old_root and found == root, "the proof does not lead to both roots")


def consistency_path(hashes, old_size, is_whole=True):
    """RFC 6962, section 2.1.2: SUBPROOF, from the hashes of the leaves of the newer tree."""
    if old_size == len(hashes):
        return [] if is_whole else [tree_root(hashes)]
    split = 1 << ((len(hashes) - 1).bit_length() - 1)
    if old_size <= split:
        return consistency_path(hashes[:split], old_size, is_whole) + [tree_root(hashes[split:])]
    return consistency_path(hashes[split:], old_size - split, False) + [tree_root(hashes[:split])]


def check_inclusion(given, proof, leaf):
    lines = proof.split("\n")
    require(lines.pop(0) == "c2sp.org/tlog-proof@v1", "another format of proof")
    if lines[0].startswith("extra "):
        lines.pop(0)
    word, index = lines.pop(0).split(" ")
    require(word == "index", "no index")
    end = lines.index("")
    path = [unbase64(line) for line in lines[:end]]
    size, root = read_checkpoint("\n".join(lines[end + 1 :]), given)
    require(root_of_inclusion(leaf_hash(leaf), int(index), size, path) == root, "the leaf is not in the tree")


def fetch(url):
    with urllib.request.urlopen(url, timeout=30) as response:
        return response.read()


def tile_path(level, index, width):
    digits = str(index)
    digits = digits.zfill(-(-len(digits) // 3) * 3)
    groups = [digits[at : at + 3] for at in range(0, len(digits), 3)]
    path = "/".join([f"x{group}" for group in groups[:-1]] + groups[-1:])
    return f"tile/{level}/{path}" + (f".p/{width}" if width < 256 else "")


def read_leaves(url, size):
    leaves = []
    for start in range(0, size, 256):
        width = min(256, size - start)
        data = fetch(f"{url}/{tile_path('entries', start // 256, width)}")
        while data:
            length = int.from_bytes(data[:2], "big")
            leaves.append(data[2 : 2 + length])
            data = data[2 + length :]
    require(len(leaves) == size, "a bundle has another number of leaves")
    return leaves


def check_tiles(url, hashes):
    level = 0
    while hashes:
        for start in range(0, len(hashes), 256):
            part = hashes[start : start + 256]
            path = tile_path(level, start // 256, len(part))
            require(fetch(f"{url}/{path}") == b"".join(part), f"{path} has other hashes")
        hashes = [tree_root(hashes[at : at + 256]) for at in range(0, len(hashes) - 255, 256)]
        level += 1


def check_surface(given, check):
    url = check["url"]
    size, root = read_checkpoint(fetch(f"{url}/checkpoint").decode(), given, len(given["witnesses"]))
    leaves = read_leaves(url, size)
    hashes = [leaf_hash(leaf) for leaf in leaves]
    require(tree_root(hashes) == root, "the leaves do not have the root of the checkpoint")
    check_tiles(url, hashes)
    by_digest = {json.loads(leaf).get("digest"): leaf for leaf in leaves}
    for digest in check["digests"]:
        require(digest in by_digest, f"{digest} is no leaf")
        check_inclusion(given, fetch(f"{url}/proofs/{digest}").decode(), by_digest[digest])
    if check["older"] is not None:
        old_size, old_root = read_checkpoint(check["older"], given)
        require(old_size <= size and tree_root(hashes[:old_size]) == old_root, "the older tree is no beginning")
        path = consistency_path(hashes, old_size) if old_size > 0 else []
        check_consistency(old_size, old_root, size, root, path)


def run(given, check):
    kind = check["kind"]
    if kind == "note":
        require(times_signed(check["text"], check["vkey"]) is not None, "not signed")
    elif kind == "checkpoint":
        read_checkpoint(check["text"], given, check["cosignatures"])
    elif kind == "root":
        root = tree_root([leaf_hash(unbase64(leaf)) for leaf in check["leaves"]])
        require(root == unbase64(check["root"]), "another root")
    elif kind == "inclusion":
        check_inclusion(given, check["proof"], unbase64(check["leaf"]))
    elif kind == "consistency":
        older, newer = (read_checkpoint(check[name], given) for name in ("older", "newer"))
        check_consistency(*older, *newer, [unbase64(one) for one in check["hashes"]])
    else:
        check_surface(given, check)


given = json.load(sys.stdin)
faults = []
for number, check in enumerate(given["checks"]):
    try:
        run(given, check)
    except (Fault, ValueError, OSError) as fault:
        faults.append(f"{number} {check['kind']}: {fault}")
print(json.dumps(faults))
