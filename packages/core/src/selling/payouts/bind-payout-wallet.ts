import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import * as z from 'zod';
import { recordActivation } from '../../agents/index.ts';
import { accountSignature } from '../../kernel/account-signature.schema.ts';
import { withChecksum } from '../../kernel/address.ts';
import { Refusal } from '../../kernel/errors.ts';
import { defineOperation } from '../../kernel/operation/operation.ts';
import { type IsoTime, isoTime } from '../../kernel/time.ts';
import { activatePendingListings, refreshAfterChange } from '../../listings/index.ts';
import {
  findChallenge,
  findCurrentChanges,
  findPayoutRoutes,
  isChallengeSpent,
  isNotChangeable,
  type PayoutChange,
  payoutErrors,
  planWalletBinding,
  setTaxDetails,
} from '../../payouts/index.ts';
import { taxDetails } from '../tax-details.schema.ts';

/** Clause: Payout wallet, POST /sell/payout-wallet. */
export const bindPayoutWallet = defineOperation({
  name: 'bindPayoutWallet',
  summary: 'Bind the wallet to which your share of sales is paid in USDC.',
  description:
    'Takes the signature of a challenge. Payouts are connected then, and priced listings that waited for that go ' +
    'live. Accounts of every kind can sign: ordinary ones, contracts (ERC-1271), and contracts yet to be deployed ' +
    '(ERC-6492). The first destination of your payouts is paid at once; a wallet that replaces another, or an account ' +
    'at the card processor, is paid what falls due from `effectiveAt` on, and can be refused until then with POST ' +
    '/sell/payouts/changes/{id}/cancel. While a wallet is bound, it is paid instead of the account.',
  area: 'Selling',
  auth: 'agent',
  scope: 'manage',
  input: z.object({
    nonce: z.string().max(64).describe('Of the challenge.'),
    signature: accountSignature.describe('Of the account, over the message of the challenge.'),
    tax: taxDetails.optional(),
  }),
  output: z.object({
    activatedListings: z.array(z.uuid()).describe('Listings that were pending and are live now.'),
    address: z.string(),
    boundAt: z.iso.datetime(),
    chainId: z.int(),
    changeId: z.uuid().nullable().describe('Of the change that can be cancelled; null: it is paid at once.'),
    effectiveAt: z.iso.datetime().describe('What falls due from then on is paid to it.'),
  }),
  errors: [
    payoutErrors.payout_challenge_ended,
    payoutErrors.payout_change_pending,
    payoutErrors.payout_changes_frozen,
    payoutErrors.payout_wallet_not_signed,
    payoutErrors.usdc_payouts_not_available,
  ],
  http: { method: 'post', path: '/sell/payout-wallet', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { nonce, signature, tax }) {
    const { ports, now, caller } = ctx;
    const { market, chain, ids } = ports;
    const sellerId = caller.agentId;
    if (chain === null)
      throw new Refusal(payoutErrors.usdc_payouts_not_available, { retryAfterSeconds: 3600 });
    const boundAt = isoTime(now);
    const [challenge, routes] = await Promise.all([
      findChallenge(market, nonce, sellerId),
      findPayoutRoutes(market, [sellerId], boundAt),
    ]);
    const bound = routes.get(sellerId)?.wallet ?? null;
    if (challenge === null) throw new Refusal(payoutErrors.payout_challenge_ended);
    // A retry after a lost reply: this challenge bound the wallet already.
    const isRepeated = challenge.usedAt !== null && bound?.boundAt === challenge.usedAt;
    if (!isRepeated && (challenge.usedAt !== null || challenge.expiresAt <= boundAt))
      throw new Refusal(payoutErrors.payout_challenge_ended);
    const { address, chainId, message } = challenge;
    const isSigned = await chain.hasSigned(address, message, signature as Hex);
    if (isSigned === null)
      throw new Refusal(payoutErrors.usdc_payouts_not_available, { retryAfterSeconds: 5 });
    if (!isSigned) throw new Refusal(payoutErrors.payout_wallet_not_signed);

    const answerOf = (activatedListings: string[], at: string, effective: Effective) => ({
      activatedListings,
      address: withChecksum(address),
      boundAt: at,
      chainId,
      changeId: effective.changeId,
      effectiveAt: effective.effectiveAt,
    });
    if (isRepeated) {
      const { pending } = await findCurrentChanges(market, sellerId, now);
      const at = challenge.usedAt ?? boundAt;
      return answerOf(
        [],
        at,
        effectOf(pending.find(({ destination }) => destination === address) ?? null, at),
      );
    }

    const activationIds = { eventId: ids.uuid(), notificationId: ids.uuid() };
    const bind = async () => {
      const hours = ctx.settings.payoutChangeHours;
      const { change, statements } = await planWalletBinding(ports, challenge, { now, hours });
      const rows = await market.commit([
        ...(tax ? [setTaxDetails(sellerId, tax, boundAt)] : []),
        ...statements,
        ...recordActivation(sellerId, activationIds, boundAt),
        activatePendingListings(sellerId),
      ]);
      return { change, activated: rows.at(-1) as { id: string }[] };
    };
    const { change, activated } = await bind()
      .catch((error: unknown) => {
        // Another request bound a wallet meanwhile: what is right now is decided by what it left.
        if (isNotChangeable(error)) return bind();
        throw error;
      })
      .catch((error: unknown) => {
        throw isChallengeSpent(error) ? new Refusal(payoutErrors.payout_challenge_ended) : error;
      });
    const activatedListings = activated.map(({ id }) => id).sort();
    ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    const answer = answerOf(activatedListings, boundAt, effectOf(change, boundAt));
    // Only now is it known which listings were activated, so the outcome for replays has a commit of its own.
    await Promise.all([ctx.commit([], answer), refreshAfterChange(ports, activatedListings)]);
    return answer;
  },
});

interface Effective {
  readonly changeId: string | null;
  readonly effectiveAt: IsoTime;
}

function effectOf(change: PayoutChange | null, boundAt: IsoTime): Effective {
  return { changeId: change?.id ?? null, effectiveAt: change?.effectiveAt ?? boundAt };
}
