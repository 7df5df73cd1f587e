import { canonicalDigest, type Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { isJsonObject, type Json, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import * as z from 'zod';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import type { Database } from '../kernel/ports/database.ts';
import { checkReceipt, type ReceiptToCheck, receiptCheckFields } from './check-receipt.ts';
import { findFollowingStatement, findRatingState } from './following-statements.store.ts';
import { signedParts } from './signed-parts.rules.ts';

const signatureFields = z.object({
  digest: z.string().max(100).describe('`sha256:<hex>`.'),
  keyId: z.string().max(128),
  signature: z.string().max(200).describe('base64url, unpadded.'),
  signedAt: z.string().max(40),
});

// Loose: whatever was signed is sent as it was received, with all its members.
const receipt = z
  .looseObject(signatureFields.partial().shape)
  .describe(
    "As it was received: a receipt, a signed statement with its `statement`, an ADMIT or REFUSE, an entry of a listing's " +
      'history, or a whole answer with its `provenance`. What is sent with the signature must be what was signed.',
  );

/** Clause: POST /verify-receipt. 200 whether the receipt is good or not; 400 only if it is malformed. */
export const verifyReceipt = defineOperation({
  name: 'verifyReceipt',
  summary: 'Check a receipt, a signed statement or a whole answer, as it was received.',
  area: 'Provenance',
  auth: 'none',
  input: z.object({
    receipt,
    payload: z
      .custom<Json>((value) => value !== undefined)
      .optional()
      .describe('The response body without `provenance`, or the `statement` of a signed statement.'),
  }),
  opaqueFields: ['receipt', 'payload'],
  output: z.object({
    digestValid: z.boolean().nullable().describe('null when nothing but a signature was sent.'),
    followedBy: z
      .string()
      .nullable()
      .describe(
        'Of a purchase receipt: the digest of the `purchase_redelivery` that adds to it. Of the attestation of a rating: ' +
          'the digest of the one that took its place. Else null.',
      ),
    ...receiptCheckFields,
    rating: z
      .enum(['counts', 'refunded', 'removed'])
      .nullable()
      .describe(
        'Of the attestation of a rating, sent with its `statement`: whether the rating counts, or its purchase was refunded, ' +
          'or an operator removed it. Else null.',
      ),
    notCovered: z
      .array(z.string())
      .describe(
        'Members of `receipt` that no signature covers: they prove nothing. `provenance.docs`, `provenance` beside another ' +
          "signature, and `reason` and `salt` of an operator's action were not checked; any other was not written here, and `valid` is false.",
      ),
    receiptDigest: z
      .string()
      .describe(
        'sha256:<hex> over the RFC 8785 form of `{digest, keyId, signature, signedAt}`: what this answer is about.',
      ),
  }),
  errors: [],
  // Whatever was signed here can be sent here.
  http: { method: 'post', path: '/verify-receipt', status: 200, repeatsOwnJson: true },
  rate: 'read',
  async handle({ ports }, { receipt, payload }) {
    const parts = signedParts(receipt as JsonObject);
    const fields = readSignature(parts.signature);
    const { digest, keyId, signedAt } = fields;
    const claims = [parts.claim, payload ?? undefined].filter((claim) => claim !== undefined);
    const checked = await checkReceipt(ports, fields, claims);
    const { digestValid, signatureValid, keyStatus } = checked;
    const isAlone = parts.foreign.length === 0;
    // Without it, this signed answer could be shown as one about another receipt of the same key and time.
    const receiptDigest = await canonicalDigest(fields);
    // Only who holds the receipt is told.
    const rating = signatureValid && digestValid === true ? await ratingOf(ports.market, claims[0]) : null;
    const followedBy = signatureValid ? await followerOf(ports.market, digest, rating) : null;
    return {
      digestValid,
      followedBy,
      keyId,
      keyStatus,
      notCovered: namesOf([...parts.foreign, ...parts.unchecked]),
      rating: rating && ratingState(rating),
      reason: checked.reason ?? (isAlone ? null : FOREIGN_MEMBERS),
      receiptDigest,
      signatureValid,
      signedAt,
      valid: checked.valid && isAlone,
    };
  },
});

type RatingState = NonNullable<Awaited<ReturnType<typeof findRatingState>>>;

async function ratingOf(market: Database, claim: Json | undefined): Promise<RatingState | null> {
  if (!isJsonObject(claim) || claim.type !== 'rating_attestation') return null;
  return findRatingState(market, String(claim.purchaseDigest));
}

function ratingState({ isRefunded, isRemoved }: RatingState): 'counts' | 'refunded' | 'removed' {
  if (isRemoved) return 'removed';
  return isRefunded ? 'refunded' : 'counts';
}

async function followerOf(
  market: Database,
  digest: string,
  rating: RatingState | null,
): Promise<string | null> {
  if (rating === null) return findFollowingStatement(market, digest);
  return rating.digest === digest ? null : rating.digest;
}

const FOREIGN_MEMBERS =
  'What was signed is good, but it was sent with members that nobody signed, or that were altered: `notCovered` names them.';

const MAX_NAMES = 20;
const NAME = /^[\w.-]{1,80}$/;

/** What a stranger calls its members is not repeated in a signed answer unless it is a plain name. */
function namesOf(members: readonly string[]): string[] {
  const names = members.map((name) => (NAME.test(name) ? name : 'another member'));
  return [...new Set(names)].slice(0, MAX_NAMES);
}

function readSignature(sent: JsonObject): ReceiptToCheck {
  const result = signatureFields.safeParse(sent);
  if (result.success) return { ...result.data, digest: result.data.digest as Digest };
  throw new Refusal(commonErrors.validation_failed, {
    fields: result.error.issues.map(({ message, path }) => ({
      message,
      path: ['receipt', ...path].join('.'),
    })),
  });
}
