import * as z from 'zod';
import { recordErasureNotice } from '../../agents/index.ts';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { DAY_MS, isoTime } from '../../kernel/time.ts';
import { linkWithCode } from '../../mail/index.ts';
import { erasureErrors } from './erasure.errors.ts';
import { balanceView, ERASURE_WAIT_DAYS, viewBalance } from './erasure.schema.ts';
import { erasureDigest } from './erasure-digest.ts';
import { erasureToken } from './erasure-link.ts';
import { insertErasure, isErasureChanged } from './erasures.store.ts';
import { readErasureTerms } from './read-erasure-terms.ts';

export const requestErasure = defineOperation({
  name: 'requestErasure',
  summary: 'Erase your account, in 7 days.',
  description:
    'Refused while anything of it is open: purchases and sales with money in escrow, offers, disputes, payouts, top-ups; ' +
    '`errors` names each by kind and id. What is in your wallet goes back to the cards that paid for it first; what no card ' +
    'takes back has to be spent, or given up. Until it is carried out your keys read only, your listings are off the ' +
    'market, and any key, the link in the mail and the one in the notice to your callbackUrl cancel it. Then your name, ' +
    'addresses, keys, messages and queries are deleted; records of money stay under your id, which names nobody any more; ' +
    'what was published and signed stays. Needs a key with the scope `all` and no budget.',
  area: 'Agents',
  auth: 'agent',
  // No scope is enough: what cannot be undone takes a key for everything.
  scope: [],
  // Whoever repeats it is told that it is due.
  whileErasing: true,
  openToSuspended: true,
  input: z.object({
    giveUpBalance: z
      .boolean()
      .default(false)
      .describe('`true`: what no card takes back is given up, and paid back to nobody.'),
  }),
  output: z.object({
    balance: balanceView,
    cancelUrl: z.string().describe('The page that cancels it, for whoever you give the link.'),
    dueAt: z.iso.datetime(),
    requestedAt: z.iso.datetime(),
    state: z.literal('due'),
  }),
  errors: [erasureErrors.erasure_blocked, erasureErrors.erasure_due],
  http: { method: 'delete', path: '/agents/me', status: 202 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { giveUpBalance }) {
    const { ports, caller, now, settings, baseUrl } = ctx;
    const { agentId } = caller;
    const terms = { givesUpBalance: giveUpBalance };
    const { balance, blockers } = await readErasureTerms(ports, agentId, terms);
    if (blockers.length > 0) {
      throw new Refusal(erasureErrors.erasure_blocked, {
        fields: blockers.map(({ kind, reference }) => ({ path: kind, message: reference })),
      });
    }
    const requestedAt = isoTime(now);
    const dueAt = isoTime(now + ERASURE_WAIT_DAYS * DAY_MS);
    const digest = await erasureDigest(agentId);
    const token = await erasureToken(ports, { agentId, requestedAt });
    const cancelUrl = linkWithCode(`${settings.siteUrl ?? new URL(baseUrl).origin}/account/erasure`, token);
    const answer = { balance: viewBalance(balance), cancelUrl, dueAt, requestedAt, state: 'due' as const };
    try {
      await ctx.commit(
        [
          ...insertErasure({
            ...{ agentId, digest, requestedAt, dueAt },
            givesUpBalance: giveUpBalance,
            givesUpCents: giveUpBalance ? balance.leftCents : 0,
          }),
          ...recordErasureNotice(ports, settings, agentId, { cancelUrl, dueAt }, requestedAt),
        ],
        answer,
      );
    } catch (error) {
      throw isErasureChanged(error) ? new Refusal(erasureErrors.erasure_due) : error;
    }
    ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    return answer;
  },
});
