import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { sha256Digest } from '../crypto.ts';
import type { KeySet } from '../keys.ts';
import { checkSeal, type InvalidReason, type Valid } from '../verify/verification.ts';

/**
 * Why a receipt of the door is not valid, besides the general reasons:
 *
 * - `other_schedule`: the receipt was made by another schedule than the one given.
 * - `wrong_classification`: the schedule puts the depth in another band than the receipt says.
 */
export type InvalidAdmissionReason = InvalidReason | 'other_schedule' | 'wrong_classification';

export type AdmissionVerification =
  | (Valid & { readonly type: 'ADMIT' | 'REFUSE'; readonly receipt: JsonObject })
  | { readonly valid: false; readonly reason: InvalidAdmissionReason; readonly detail: string };

/**
 * Checks a receipt of the ingress door offline: digest, signature and, for an ADMIT, that its classification
 * follows from its depth by the schedule it names. Needs no network, and nothing of the marketplace's code.
 *
 * @param receipt an ADMIT or REFUSE as answered, with or without `provenance`.
 * @param keys `keySetOf` the answer of `GET /ingress/keys`: the door has a key of its own.
 * @param schedule the answer of `GET /ingress/schedule`.
 */
export async function verifyAdmission(
  receipt: unknown,
  keys: KeySet,
  schedule: unknown,
): Promise<AdmissionVerification> {
  if (!isJsonObject(receipt)) return bad('malformed', 'Not a receipt of the door: not an object.');
  const { provenance: _, digest, signature, ...signed } = receipt;
  const { type, keyId, issuedAt } = signed;
  if (type !== 'ADMIT' && type !== 'REFUSE') return bad('wrong_type', 'Neither ADMIT nor REFUSE.');
  const seal = { alg: signed.alg ?? null, keyId, signedAt: issuedAt, digest, signature } as JsonObject;
  const checked = await checkSeal(seal, signed, keys);
  if (!checked.valid) return checked;
  if (type === 'ADMIT') {
    const fault = await classificationFault(signed, schedule);
    if (fault !== null) return fault;
  }
  return { ...checked, type, receipt: signed };
}

async function classificationFault(
  receipt: JsonObject,
  schedule: unknown,
): Promise<AdmissionVerification | null> {
  const { canonical }: JsonObject = isJsonObject(schedule) ? schedule : {};
  const depth = isJsonObject(receipt.depth) ? receipt.depth : {};
  if (typeof canonical !== 'string') return bad('malformed', 'The schedule has no canonical form.');
  if ((await sha256Digest(canonical)) !== receipt.scheduleDigest) {
    return bad('other_schedule', 'The receipt binds another schedule than the one given.');
  }
  const expected = classify(canonical, depth.live_counterparties);
  if (expected === null) return bad('malformed', 'The depth is no number, or fits no band of the schedule.');
  return expected === depth.classification
    ? null
    : bad('wrong_classification', `By the schedule, this depth is ${expected}.`);
}

/** Uses the digested text itself, since the other fields of the answer are not covered by the digest. */
function classify(canonical: string, live: unknown): string | null {
  const { bands } = JSON.parse(canonical) as {
    bands?: { classification: string; min: number; max: number | null }[];
  };
  if (typeof live !== 'number' || !Array.isArray(bands)) return null;
  const band = bands.find(({ min, max }) => live >= min && (max === null || live <= max));
  return band?.classification ?? null;
}

function bad(reason: InvalidAdmissionReason, detail: string): AdmissionVerification {
  return { valid: false, reason, detail };
}
