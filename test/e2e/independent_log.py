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
{"kind": "demand", "url", "api"}                       the demand ledger at "api", recomputed from the leaves of the log: each
                                                       statement signed, logged and in one row, all totals the sums of rows
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


def canonical_digest(value):
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def check_seal(keys, seal, content):
    digest = canonical_digest(content)
    require(seal["digest"] == digest, f"{seal['digest']} is of something else")
    message = f"{seal['keyId']}.{seal['signedAt']}.{digest}".encode()
    padded = seal["signature"] + "=" * (-len(seal["signature"]) % 4)
    signature = base64.urlsafe_b64decode(padded)
    require(openssl_verifies(keys[seal["keyId"]], message, signature), f"bad signature over {digest}")


def fetch_json(url, keys):
    answer = json.loads(fetch(url))
    content = {name: value for name, value in answer.items() if name != "provenance"}
    check_seal(keys, answer["provenance"]["receipt"], content)
    return content


def read_keys(api):
    answer = json.loads(fetch(f"{api}/signing-key"))
    keys = {}
    for key in [answer] + answer["keys"]:
        raw = key["publicKeyRaw"]
        keys[key["keyId"]] = base64.urlsafe_b64decode(raw + "=")
    return keys


def read_pages(api, keys, parameter, next_of):
    pages, query = [], ""
    while query is not None:
        pages.append(fetch_json(f"{api}/proof/demand?limit=100{query}", keys))
        cursor = next_of(pages[-1])
        query = None if cursor is None else f"&{parameter}={cursor}"
    return pages


def shown_party(party, configured):
    if party in ("anonymous", "apart") or (party == "arms_length" and not configured):
        return "unclassified"
    return party


def check_demand(given, check):
    url, api = check["url"], check["api"]
    keys = read_keys(api)
    pages = read_pages(api, keys, "cursor", lambda page: page["nextCursor"])
    removed = read_pages(api, keys, "removedCursor", lambda page: page["removedRows"]["nextCursor"])
    size, root = read_checkpoint(fetch(f"{url}/checkpoint").decode(), given, len(given["witnesses"]))
    leaves = read_leaves(url, size)
    require(tree_root([leaf_hash(leaf) for leaf in leaves]) == root, "the leaves do not have the root")
    parsed = [json.loads(leaf) for leaf in leaves]
    logged = {leaf["digest"]: leaf for leaf in parsed}
    accounted = set()

    def account(digest):
        require(digest not in accounted, f"{digest} is counted twice")
        require(digest in logged, f"{digest} is not in the log")
        accounted.add(digest)

    def account_statements(statements):
        for signed in statements:
            check_seal(keys, signed, signed["statement"])
            account(signed["digest"])
            leaf = logged[signed["digest"]]
            same = all(leaf[name] == signed[name] for name in ("keyId", "signedAt"))
            require(same and leaf["type"] == signed["statement"]["type"], "the leaf says otherwise")
            for digest in signed["statement"].get("supersedes", []):
                account(digest)

    classification = pages[0]["armsLengthClassification"]
    configured = classification["configured"]
    said = classification["statement"]
    account_statements([said] if said else [])
    require(configured == bool(said and said["statement"]["configured"]), "another classification is signed")
    counted = []
    for row in [row for page in pages for row in page["ledger"]]:
        settlement, change = row["settlement"], row["change"]
        require(settlement is not None, f"{row['id']} is not signed yet: look again in a minute")
        account_statements([settlement] + ([change] if change else []))
        base = settlement["statement"]
        for name in ("amountCents", "createdAt", "id", "isReferenceListing", "platformFeeCents", "rail", "verticalSlug"):
            require(base[name] == row[name], f"{row['id']} has another {name}")
        last = base
        if change:
            require(change["statement"]["settlement"] == settlement["digest"], "a change of another settlement")
            last = change["statement"]
        require(row["statementDigest"] == settlement["digest"], "a row with another digest")
        require(last["status"] == row["status"], f"{row['id']} has another status")
        require(shown_party(last["party"], configured) == row["party"], f"{row['id']} has another party")
        counted.append({**base, "status": last["status"], "party": row["party"]})
    for one in [one for page in removed for one in page["removedRows"]["rows"]]:
        account_statements([signed for signed in (one["settlement"], one["change"]) if signed])
        require(one["change"]["statement"]["status"] in ("refunded", "ended"), "a removed row that is settled")
    types = ("settlement", "settlement_change", "demand_classification")
    tree_size = min(page["treeSize"] for page in pages + removed)
    for leaf in parsed[:tree_size]:
        require(leaf["type"] not in types or leaf["digest"] in accounted, f"{leaf['digest']} is in no row")

    paid = [row for row in counted if row["amountCents"] > 0]
    totals = {
        "distinctBuyers": len({row["buyer"] for row in counted} - {"anonymous"}),
        "distinctSellers": len({row["seller"] for row in counted}),
        "grossCents": sum(row["amountCents"] for row in counted),
        "paidRows": len(paid),
        "platformFeeCents": sum(row["platformFeeCents"] for row in counted),
        "referenceListingRows": sum(row["isReferenceListing"] for row in counted),
        "settledRows": len(counted),
        "settledSales": sum(not row["isReferenceListing"] for row in counted),
        "zeroAmountRows": len(counted) - len(paid),
    }
    require(totals == pages[0]["totals"], f"the log makes {totals}, the ledger says {pages[0]['totals']}")
    for name, member, rows in (
        ("byParty", "party", paid),
        ("byPartyAllRows", "party", counted),
        ("byRail", "rail", paid),
        ("byRailAllRows", "rail", counted),
    ):
        for key, count in pages[0][name].items():
            require(count == sum(row[member] == key for row in rows), f"another {name}.{key}")
    for status in ("held", "releasing", "released"):
        inside = [row for row in counted if row["status"] == status]
        shares = sum(row["amountCents"] - row["platformFeeCents"] for row in inside)
        escrow = pages[0]["escrow"]
        require((escrow[f"{status}Rows"], escrow[f"{status}Cents"]) == (len(inside), shares), f"another escrow of {status}")
    arms_length = sum(row["amountCents"] for row in counted if row["party"] == "arms_length")
    require(arms_length == pages[0]["armsLengthCents"], "another sum at arm's length")


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
    elif kind == "demand":
        check_demand(given, check)
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
