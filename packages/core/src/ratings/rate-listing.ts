import { sha256Digest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import * as z from 'zod';
import { recordNotification } from '../agents/index.ts';
import { FEE_SCHEDULES } from '../fees/index.ts';
import { Refusal } from '../kernel/errors.ts';
import { id } from '../kernel/id.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { linesIfAny } from '../kernel/text-schema.ts';
import { isoTime } from '../kernel/time.ts';
import { refreshAfterChange } from '../listings/index.ts';
import { escrowErrors } from '../sales/index.ts';
import { amountBand, type RatingStatement, saltedPurchase, wasPaid } from './rating.rules.ts';
import { ratingErrors } from './ratings.errors.ts';
import { publicRating, stars } from './ratings.schema.ts';
import {
  findPurchaseToRate,
  isNoLongerPaid,
  type NewRating,
  type RatingAttestation,
  saveRating,
} from './ratings.store.ts';

/** Clause: POST /marketplace/listings/{id}/rate. */
export const rateListing = defineOperation({
  name: 'rateListing',
  summary: 'Rate what you bought; rating the same purchase again updates the rating.',
  description:
    'Anonymous: the answer carries a signed attestation that a paying buyer left the rating, and not who. Free ' +
    'purchases are not rated.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'buy',
  input: z.object({
    listingId: id.describe('Of the listing.'),
    purchaseId: id.describe('Of your purchase of it.'),
    rating: stars,
    comment: linesIfAny(2000).optional().describe('Public.'),
  }),
  publicFields: ['comment'],
  output: publicRating.extend({
    listingId: z.uuid(),
    purchaseId: z.uuid(),
    salt: z.uuid().describe('Yours alone: with it you can show that the attestation is of your purchase.'),
  }),
  errors: [
    escrowErrors.purchase_not_found,
    escrowErrors.not_purchase_owner,
    ratingErrors.purchase_of_other_listing,
    ratingErrors.purchase_not_paid,
    ratingErrors.rating_removed,
  ],
  http: {
    method: 'post',
    path: '/marketplace/listings/{id}/rate',
    status: 200,
    names: { listingId: 'id', purchaseId: 'purchase_id' },
  },
  mcp: {
    tool: 'rate_listing',
    title: 'Rate a purchase',
    description:
      'Rate what you bought and paid for, once you have judged it. Anonymous and public; the answer is a signed ' +
      'attestation. Rating the same purchase again replaces the rating. Free. Needs the key that bought.',
    hints: { readOnly: false, destructive: false, idempotent: true },
  },
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { purchaseId }) => findPurchaseToRate(market, purchaseId),
  async handle(ctx, { listingId, purchaseId, rating, comment: text }, purchase) {
    const { ports, caller } = ctx;
    if (!purchase) throw new Refusal(escrowErrors.purchase_not_found);
    if (purchase.buyerId !== caller.agentId) throw new Refusal(escrowErrors.not_purchase_owner);
    if (purchase.listingId !== listingId) throw new Refusal(ratingErrors.purchase_of_other_listing);
    if (!wasPaid(purchase)) throw new Refusal(ratingErrors.purchase_not_paid);
    if (purchase.isBarred) throw new Refusal(ratingErrors.rating_removed);
    const comment = text === undefined || text === '' ? null : text;

    const at = isoTime(ctx.now);
    const { sellerId, previous } = purchase;
    // The salt is reused, so that both attestations show that they are of one purchase.
    const salt = previous?.salt ?? ports.ids.uuid();
    const ratingId = previous?.id ?? ports.ids.uuid();
    const attestation = await attest(ports.signer, {
      amountBand: amountBand(FEE_SCHEDULES, purchase.feeScheduleVersion, purchase.amountCents),
      commentDigest: comment === null ? null : await sha256Digest(comment),
      listingId,
      purchaseDigest: await sha256Digest(saltedPurchase(salt, purchaseId)),
      ratedAt: at,
      rating,
      sellerId,
      type: 'rating_attestation',
    });
    const row: NewRating = {
      attestation,
      at,
      buyerId: caller.agentId,
      comment,
      id: ratingId,
      listingId,
      purchaseId,
      rating,
      salt,
    };
    const createdAt = previous?.createdAt ?? at;
    const answer = {
      attestation,
      comment,
      createdAt,
      id: ratingId,
      listingId,
      purchaseId,
      rating,
      refunded: false,
      removed: false,
      salt,
      updatedAt: at,
    };
    // The purchase is not named: the seller knows who made it.
    const note = recordNotification(sellerId, 'rating.received', { listingId, rating }, ports.ids.uuid(), at);
    try {
      await ctx.commit([...saveRating(row), ...(previous === null ? [note] : [])], answer);
    } catch (error) {
      throw isNoLongerPaid(error) ? new Refusal(ratingErrors.purchase_not_paid) : error;
    }
    await refreshAfterChange(ports, [listingId]);
    return answer;
  },
});

/** Signed at the time of rating. */
function attest(signer: Signer, statement: RatingStatement): Promise<RatingAttestation> {
  return signStatement(signer, statement, statement.ratedAt);
}
