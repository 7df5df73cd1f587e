import * as z from 'zod';
import { recordSellerNotice } from '../../agents/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { linesOf } from '../../kernel/text-schema.ts';
import { isoTime } from '../../kernel/time.ts';
import { changeListing } from '../change-listing.ts';
import { listingErrors } from '../listings.errors.ts';
import { findListing } from '../listings.store.ts';
import { findDeclaration, isReviewedBefore, recordReview } from './health-declarations.store.ts';

const decision = z.enum(['accepted', 'rejected']);

/** For the operator: whether a listing is about no single person's health, as its seller declared. */
export const reviewHealthDeclaration = defineOperation({
  name: 'reviewHealthDeclaration',
  summary: 'Accept or reject a declaration that a listing is about no single person’s health.',
  description:
    'For the operator. `rejected` takes the listing off the market, as its signed history shows with the reason, and tells ' +
    'the seller, who can neither put it back nor declare its words again. `accepted` stands until the listing gets other ' +
    'words of health; after a rejection it lets the seller put the listing back.',
  area: 'Listings',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({
    declarationId: id,
    decision,
    reason: linesOf(500).describe('A rejection shows it in the public history and to the seller.'),
  }),
  publicFields: ['reason'],
  output: z.object({
    decision,
    id: z.uuid(),
    listingId: z.uuid(),
    reason: z.string(),
    reviewedAt: z.iso.datetime(),
  }),
  errors: [
    listingErrors.health_declaration_not_found,
    listingErrors.health_declaration_reviewed,
    listingErrors.listing_changed,
  ],
  http: {
    method: 'post',
    path: '/admin/health-declarations/{id}/review',
    status: 200,
    names: { declarationId: 'id' },
  },
  rate: 'write',
  replay: 'stored',
  audit: ({ declarationId, reason }) => ({
    subject: { type: 'health_declaration', id: declarationId },
    reason,
  }),
  async handle(ctx, { declarationId, decision, reason }) {
    const { ports, now } = ctx;
    const declaration = await findDeclaration(ports.market, declarationId);
    if (!declaration) throw new Refusal(listingErrors.health_declaration_not_found);
    if (declaration.status === decision) throw new Refusal(listingErrors.health_declaration_reviewed);
    const { listingId } = declaration;
    const listing = await findListing(ports.market, listingId);
    if (!listing) throw new Refusal(listingErrors.health_declaration_not_found);

    const reviewedAt = isoTime(now);
    const answer = { decision, id: declarationId, listingId, reason, reviewedAt };
    const statements = recordReview(declaration, { status: decision, reason, reviewedAt });
    const tell = (type: 'listing.blocked' | 'listing.unblocked') =>
      recordSellerNotice(ports, listing.seller.id, type, { listingId, reason }, reviewedAt);
    try {
      if (decision === 'rejected') {
        await changeListing(
          ctx,
          listing,
          { active: false, reason },
          {
            answer,
            changes: { notPersonalHealth: { from: true, to: false } },
            statements: [...statements, ...tell('listing.blocked')],
          },
        );
      } else if (declaration.status === 'rejected') {
        await changeListing(
          ctx,
          listing,
          { reason },
          {
            answer,
            changes: { notPersonalHealth: { from: false, to: true } },
            statements: [...statements, ...tell('listing.unblocked')],
          },
        );
      } else {
        await ctx.commit(statements, answer);
      }
    } catch (error) {
      throw isReviewedBefore(error) ? new Refusal(listingErrors.health_declaration_reviewed) : error;
    }
    if (declaration.status === 'rejected' || decision === 'rejected') {
      ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    }
    return answer;
  },
});
