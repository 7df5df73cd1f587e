import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { canonicalJson } from '@agent-marketplace/protocol/json/canonical-json.ts';
import type { Json, JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { concatBytes } from '@agent-marketplace/protocol/json/raw-json.ts';

/** The member of `data` in which a seller may claim its digest (clause: Optional integrity field). */
export const CLAIM = '__sha256';

export interface DeliverableBytes {
  /** The RFC 8785 form of `data`. */
  readonly content: Uint8Array;
  /** Present if the seller made a claim, well-formed or not. */
  readonly claim?: {
    readonly value: Json | undefined;
    /** The RFC 8785 form of `data` without the claim: what the claim is over. */
    readonly bytes: Uint8Array;
  };
}

/**
 * The bytes under the digests of a deliverable. With a claim, there are two forms, with and without it: the members before and
 * after it in canonical order are serialised once and used in both.
 */
export function deliverableBytes(data: JsonObject): DeliverableBytes {
  if (!Object.hasOwn(data, CLAIM)) return { content: utf8(canonicalJson(data)) };
  const before = innerText(data, (key) => key < CLAIM);
  const after = innerText(data, (key) => key > CLAIM);
  const value = data[CLAIM];
  const claim = utf8(`"${CLAIM}":${canonicalJson(value)}`);
  return {
    content: layOut([before, claim, after]),
    claim: { value, bytes: layOut([before, after]) },
  };
}

/** Hex digits count in either case. A claim that is not `sha256:<hex>` never holds. */
export function claimHolds(value: Json | undefined, digest: string): boolean {
  return typeof value === 'string' && /^sha256:[0-9a-f]{64}$/i.test(value) && value.toLowerCase() === digest;
}

/** The canonical text of some members, without the braces. */
function innerText(data: JsonObject, isWanted: (key: string) => boolean): Uint8Array {
  // Assigning a member named `__proto__` would lose it; fromEntries defines it.
  const members = Object.fromEntries(Object.entries(data).filter(([key]) => isWanted(key)));
  return utf8(canonicalJson(members).slice(1, -1));
}

const COMMA = utf8(',');
const OPEN = utf8('{');
const CLOSE = utf8('}');

function layOut(members: readonly Uint8Array[]): Uint8Array {
  const parts = members
    .filter((part) => part.length > 0)
    .flatMap((part, index) => (index === 0 ? [part] : [COMMA, part]));
  return concatBytes([OPEN, ...parts, CLOSE]);
}
