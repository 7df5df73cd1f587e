import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import * as z from 'zod';
import { recordSellerNotice } from '../../agents/index.ts';
import { accountSignature } from '../../kernel/account-signature.schema.ts';
import { Refusal } from '../../kernel/errors.ts';
import { id } from '../../kernel/id.ts';
import { defineOperation, type OperationContext } from '../../kernel/operation/operation.ts';
import { isoTime } from '../../kernel/time.ts';
import {
  cancelChange,
  cancelNotice,
  findPayoutChange,
  freezeEnds,
  isCancelToken,
  isOver,
  type PayoutChange,
  payoutErrors,
  stateOfChange,
} from '../../payouts/index.ts';
import { cancelToken, messageOf } from './payout-change.schema.ts';

/** The seller's word against a change that somebody else asked for, by any channel that is older than the change. */
export const cancelPayoutChange = defineOperation({
  name: 'cancelPayoutChange',
  summary: 'Cancel a change of where a seller is paid, before it takes effect.',
  description:
    "With the seller's API key, with the `token` of the link in the mail to the seller, or with `signature`: of the " +
    'wallet that was paid before, over the `message` of the change. What was paid before goes on being paid, and nothing can be changed ' +
    'for 7 days.',
  area: 'Selling',
  auth: 'optional',
  scope: 'manage',
  input: z.object({
    changeId: id,
    signature: accountSignature.optional().describe('Of the wallet that was paid before, over `message`.'),
    token: cancelToken,
  }),
  output: z.object({
    cancelledAt: z.iso.datetime(),
    changeId: z.uuid(),
    changesFrozenUntil: z.iso.datetime(),
  }),
  errors: [
    payoutErrors.payout_change_not_found,
    payoutErrors.payout_change_not_yours,
    payoutErrors.payout_change_over,
    payoutErrors.usdc_payouts_not_available,
  ],
  http: {
    method: 'post',
    path: '/sell/payouts/changes/{id}/cancel',
    status: 200,
    names: { changeId: 'id' },
  },
  openToSuspended: true,
  rate: 'write',
  replay: 'stored',
  prefetch: ({ market }, { changeId }) => findPayoutChange(market, changeId),
  async handle(ctx, { signature, token }, change) {
    if (change === null) throw new Refusal(payoutErrors.payout_change_not_found);
    const by = await channelOf(ctx, change, { signature, token });
    if (by === null) throw new Refusal(payoutErrors.payout_change_not_yours);
    switch (stateOfChange(change, ctx.now)) {
      case 'effective':
        throw new Refusal(payoutErrors.payout_change_over);
      case 'cancelled':
        return answerOf(change.id, change.cancelledAt ?? isoTime(ctx.now));
      case 'pending':
        return cancel(ctx, change, by);
    }
  },
});

type Channel = NonNullable<PayoutChange['cancelledBy']>;

/** Which of the seller's channels asks; null: none. */
async function channelOf(
  { ports, caller, baseUrl }: OperationContext,
  change: PayoutChange,
  { signature, token }: { readonly signature: string | undefined; readonly token: string | undefined },
): Promise<Channel | null> {
  if (token !== undefined) {
    // To somebody who only has a link, one that was cut off looks like one of no change.
    if (!(await isCancelToken(ports, change.id, token)))
      throw new Refusal(payoutErrors.payout_change_not_found);
    return 'mail';
  }
  if (caller?.agentId === change.sellerId) return 'key';
  const message = messageOf(change, baseUrl);
  if (signature === undefined || message === null || change.previous === null) return null;
  const isSigned = await ports.chain?.hasSigned(change.previous as Hex, message, signature as Hex);
  if (isSigned === undefined || isSigned === null)
    throw new Refusal(payoutErrors.usdc_payouts_not_available, { retryAfterSeconds: 5 });
  return isSigned ? 'wallet' : null;
}

async function cancel(ctx: OperationContext, change: PayoutChange, by: Channel) {
  const at = isoTime(ctx.now);
  const answer = answerOf(change.id, at);
  const notice = cancelNotice(change, by, answer.changesFrozenUntil);
  try {
    await ctx.commit(
      [
        ...cancelChange(change, by, at),
        ...recordSellerNotice(ctx.ports, change.sellerId, 'payout.change_cancelled', notice, at),
      ],
      answer,
    );
  } catch (error) {
    if (!isOver(error)) throw error;
    // Another channel cancelled it meanwhile, or its time came.
    const now = await findPayoutChange(ctx.ports.market, change.id);
    if (now === null || now.cancelledAt === null) throw new Refusal(payoutErrors.payout_change_over);
    return answerOf(change.id, now.cancelledAt);
  }
  ctx.ports.background.run(ctx.ports.jobs.send({ kind: 'outbox' }));
  return answer;
}

function answerOf(changeId: string, cancelledAt: string) {
  return { cancelledAt, changeId, changesFrozenUntil: freezeEnds(cancelledAt) };
}
