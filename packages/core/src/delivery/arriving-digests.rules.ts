import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { concatBytes } from '@agent-marketplace/protocol/json/raw-json.ts';
import type {
  ArrivingDigests,
  ByteSpan,
  DataDigests,
  HashInPieces,
} from '../kernel/ports/seller-endpoint.ts';
import { CLAIM } from './integrity.rules.ts';

/** What a reply begins with whose data may be handed on as they came. */
export const OPENING = '{"data":';
const DATA_FROM = OPENING.length;
const OPEN_DATA = utf8('{');
const OPENING_WITH_CLAIM = utf8(`${OPENING}{"${CLAIM}":"sha256:`);
const CLAIM_FROM = DATA_FROM + OPEN_DATA.length;
/** Where a claim ends that comes first: after 64 digits and a quote. */
const CLAIM_TO = OPENING_WITH_CLAIM.length + 64 + 1;
const COMMA = utf8(',')[0];

/**
 * Hashes the data of a reply while it arrives, and the data without the claim as well if the claim comes first, as it does
 * where all keys are of small letters. A claim anywhere else is cut out of the whole reply afterwards, without a copy.
 */
export function createArrivingDigests(createHash: () => HashInPieces): ArrivingDigests {
  let content: HashInPieces | null = null;
  let unclaimed: HashInPieces | null = null;
  let hashed = 0;

  function begin(received: Uint8Array): void {
    content = createHash();
    hashed = DATA_FROM;
    if (!beginsWith(received, OPENING_WITH_CLAIM)) return;
    unclaimed = createHash();
    unclaimed.update(OPEN_DATA);
    const from = CLAIM_TO + (received[CLAIM_TO] === COMMA ? 1 : 0);
    content.update(received.subarray(hashed, from));
    hashed = from;
  }

  /** The last byte is left out: it may be the brace that closes the reply. */
  function take(received: Uint8Array): void {
    const to = received.length - 1;
    if (content === null) {
      if (to <= CLAIM_TO) return;
      begin(received);
    }
    const piece = received.subarray(hashed, to);
    content?.update(piece);
    unclaimed?.update(piece);
    hashed = to;
  }

  return {
    take,
    finish(reply, claim) {
      const data = reply.subarray(DATA_FROM, -1);
      const digest = content?.digest() ?? hashOf(createHash, [data]);
      if (claim === null) return { content: digest, unclaimed: null };
      const wasFirst = claim.start === CLAIM_FROM && claim.end === CLAIM_TO;
      const rest = wasFirst ? unclaimed?.digest() : undefined;
      return { content: digest, unclaimed: rest ?? hashOf(createHash, withoutClaim(reply, claim)) };
    },
  };
}

/** The digests of a reply that is there as a whole. */
export interface WholeDigests {
  finish(reply: Uint8Array, claim: ByteSpan | null): DataDigests | Promise<DataDigests>;
}

/** For a reply that did not come through the relay. */
export function createWholeDigests(): WholeDigests {
  return {
    finish: async (reply, claim) => ({
      content: await sha256Digest(reply.subarray(DATA_FROM, -1)),
      unclaimed: claim && (await sha256Digest(concatBytes(withoutClaim(reply, claim)))),
    }),
  };
}

/** The data of a reply without the claim and one comma beside it. */
function withoutClaim(reply: Uint8Array, { start, end }: ByteSpan): readonly Uint8Array[] {
  const isFirst = start === CLAIM_FROM;
  const before = reply.subarray(DATA_FROM, isFirst ? start : start - 1);
  return [before, reply.subarray(isFirst && reply[end] === COMMA ? end + 1 : end, -1)];
}

function hashOf(createHash: () => HashInPieces, parts: readonly Uint8Array[]) {
  const hash = createHash();
  for (const part of parts) hash.update(part);
  return hash.digest();
}

function beginsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, at) => bytes[at] === byte);
}
