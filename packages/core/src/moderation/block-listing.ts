import * as z from 'zod';
import { findSubject } from '../cases/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { ruleField } from '../kernel/rule-field.ts';
import { linesOf } from '../kernel/text-schema.ts';
import { listingErrors, listingId } from '../listings/index.ts';
import { carryOut } from './carry-out.ts';
import { ownDecision } from './own-decision.ts';

/** For the operator: takes a listing off the market, or lets it back. */
export const blockListing = defineOperation({
  name: 'blockListing',
  summary: 'Block a listing under a published rule, or lift its block.',
  description:
    'For the operator. A blocked listing is in no list and no search, and is sold to nobody: whoever has its id is ' +
    'answered 410 `listing_blocked`. Its seller is told the rule and the reason, and can neither change it nor list the ' +
    'same content again; what it lists with the same content goes off the market with it. The signed history shows the ' +
    'block. Lifted, the listing is as its seller had left it.',
  area: 'Listings',
  auth: 'operator',
  leastRole: 'support',
  input: z.object({
    listingId,
    blocked: z.boolean(),
    rule: ruleField.optional().describe('Required to block; left out to lift the block.'),
    reason: linesOf(500).describe('Shown in the public history and to the seller.'),
  }),
  publicFields: ['reason'],
  output: z.object({
    blocked: z.boolean(),
    listingId: z.uuid(),
    reason: z.string(),
    rule: ruleField.nullable(),
  }),
  errors: [
    listingErrors.listing_not_found,
    listingErrors.listing_block_unchanged,
    listingErrors.listing_changed,
    listingErrors.listing_blocked,
    listingErrors.health_declaration_rejected,
  ],
  http: { method: 'post', path: '/admin/listings/{id}/block', status: 200, names: { listingId: 'id' } },
  rate: 'write',
  replay: 'stored',
  audit: ({ listingId, reason }) => ({ subject: { type: 'listing', id: listingId }, reason }),
  async handle(ctx, { listingId, blocked, rule = null, reason }) {
    if (blocked !== (rule !== null)) {
      const message = 'Name the rule to block a listing, and only then.';
      throw new Refusal(commonErrors.validation_failed, { fields: [{ message, path: 'rule' }] });
    }
    const { market } = ctx.ports;
    const subject = await findSubject(market, { type: 'listing', id: listingId });
    if (subject === null) throw new Refusal(listingErrors.listing_not_found);
    const answer = { blocked, listingId, reason, rule };
    const statements =
      rule === null ? [] : await ownDecision(ctx, subject, { action: 'block', rule, reason });
    await carryOut(ctx, { kind: 'block', id: listingId, listingId, rule, reason }, { answer, statements });
    return answer;
  },
});
