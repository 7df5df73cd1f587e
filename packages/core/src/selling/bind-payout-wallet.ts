import { z } from 'zod';
import { recordActivation } from '../agents/index.ts';
import { accountSignature } from '../kernel/account-signature.schema.ts';
import { withChecksum } from '../kernel/address.ts';
import { Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import type { Hex } from '../kernel/ports/chain.ts';
import { isoTime } from '../kernel/time.ts';
import { activatePendingListings, refreshAfterChange } from '../listings/index.ts';
import {
  bindWallet,
  findChallenge,
  findPayoutWallet,
  isChallengeSpent,
  payoutErrors,
} from '../payouts/index.ts';
import { recordSellerNotice } from './record-seller-notice.ts';

/** Clause: Payout wallet, POST /sell/payout-wallet. */
export const bindPayoutWallet = defineOperation({
  name: 'bindPayoutWallet',
  summary: 'Bind the wallet to which your share of sales is paid in USDC.',
  description:
    'Takes the signature of a challenge. Payouts are connected then, and priced listings that waited for that go ' +
    'live. Accounts of every kind can sign: ordinary ones, contracts (ERC-1271), and contracts yet to be deployed ' +
    '(ERC-6492). A wallet bound later replaces this one for payouts that begin after; while one is bound, it is ' +
    'paid instead of an account at the card processor.',
  area: 'Selling',
  auth: 'agent',
  input: z.object({
    nonce: z.string().max(64).describe('Of the challenge.'),
    signature: accountSignature.describe('Of the account, over the message of the challenge.'),
  }),
  output: z.object({
    activatedListings: z.array(z.uuid()).describe('Listings that were pending and are live now.'),
    address: z.string(),
    boundAt: z.iso.datetime(),
    chainId: z.int(),
  }),
  errors: [
    payoutErrors.payout_challenge_ended,
    payoutErrors.payout_wallet_not_signed,
    payoutErrors.usdc_payouts_not_available,
  ],
  http: { method: 'post', path: '/sell/payout-wallet', status: 200 },
  rate: 'write',
  replay: 'stored',
  async handle(ctx, { nonce, signature }) {
    const { ports, now, caller } = ctx;
    const { market, chain, ids } = ports;
    const sellerId = caller.agentId;
    if (chain === null)
      throw new Refusal(payoutErrors.usdc_payouts_not_available, { retryAfterSeconds: 3600 });
    const [challenge, bound] = await Promise.all([
      findChallenge(market, nonce, sellerId),
      findPayoutWallet(market, sellerId),
    ]);
    const boundAt = isoTime(now);
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

    const answerOf = (activatedListings: string[], at: string) => ({
      activatedListings,
      address: withChecksum(address),
      boundAt: at,
      chainId,
    });
    if (isRepeated) return answerOf([], challenge.usedAt ?? boundAt);

    const activationIds = { eventId: ids.uuid(), notificationId: ids.uuid() };
    let rows: unknown[][];
    try {
      rows = await market.commit([
        ...bindWallet(challenge, boundAt),
        ...recordSellerNotice(
          ports,
          sellerId,
          'payout_wallet.changed',
          { address: withChecksum(address), chainId },
          boundAt,
        ),
        ...recordActivation(sellerId, activationIds, boundAt),
        activatePendingListings(sellerId),
      ]);
    } catch (error) {
      throw isChallengeSpent(error) ? new Refusal(payoutErrors.payout_challenge_ended) : error;
    }
    const activatedListings = (rows.at(-1) as { id: string }[]).map(({ id }) => id).sort();
    ports.background.run(ports.jobs.send({ kind: 'outbox' }));
    const answer = answerOf(activatedListings, boundAt);
    // Only now is it known which listings were activated, so the outcome for replays has a commit of its own.
    await Promise.all([ctx.commit([], answer), refreshAfterChange(ports, activatedListings)]);
    return answer;
  },
});
