import * as z from 'zod';
import { fundingErrors, requireUnbounded } from '../budgets/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation, type OperationContext } from '../kernel/operation/operation.ts';
import {
  type CardProcessor,
  CardProcessorError,
  type CheckoutSession,
} from '../kernel/ports/card-processor.ts';
import { epochOf, isoTime } from '../kernel/time.ts';
import { subsidyErrors, subsidyRefusal, takeTopUpSubsidy } from '../subsidies/index.ts';
import { closeOlderPages } from './close-older-pages.ts';
import {
  attachCheckout,
  closeTopUp,
  findTopUp,
  hasNoHeadroom,
  insertTopUp,
  isKnownTopUp,
  isNoLongerOpen,
  type NewTopUp,
} from './top-ups.store.ts';
import { walletErrors } from './wallet.errors.ts';
import {
  CHECKOUT_LIFETIME_MS,
  FIRST_CHECK_MS,
  isUnfinished,
  OPEN_CHECK_MS,
  TOP_UP_MAX_CENTS,
  TOP_UP_MIN_CENTS,
} from './wallet.rules.ts';
import { walletPage } from './wallet.schema.ts';
import { ensureWallet } from './wallet.store.ts';

/** Clause: POST /wallet/fund. */
export const fundWallet = defineOperation({
  name: 'fundWallet',
  summary: 'Open a checkout page where a person pays for credits.',
  description:
    'Nothing is charged until somebody pays at `checkoutUrl`; the credits are then added by themselves. An open ' +
    'page takes its amount of the room under the cap until it expires; pages of yours that nobody paid are closed, the ' +
    'oldest first, where a new one needs the room.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'manage',
  input: z.object({
    amountCents: z.int().min(TOP_UP_MIN_CENTS).max(TOP_UP_MAX_CENTS).describe('What to add.'),
  }),
  output: z.object({
    amountCents: z.int(),
    checkoutUrl: z.string(),
    expiresAt: z.iso.datetime(),
    status: z.literal('open'),
    topUpId: z.uuid(),
  }),
  errors: [
    walletErrors.payments_not_configured,
    walletErrors.wallet_cap_exceeded,
    fundingErrors.key_is_bounded,
    ...Object.values(subsidyErrors),
  ],
  http: { method: 'post', path: '/wallet/fund', status: 200, names: { amountCents: 'amount_cents' } },
  mcp: {
    tool: 'fund_wallet',
    title: 'Fund your wallet',
    description:
      'Open a checkout page that adds 1000 to 50000 cents to your wallet, which holds at most 50000. Give ' +
      '`checkoutUrl` to a person: only paying there charges anything. Next: get_wallet_balance.',
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'write',
  movesMoney: true,
  replay: 'stored',
  async handle(ctx, { amountCents }) {
    const { ports, now } = ctx;
    requireUnbounded(ctx.caller);
    if (ports.cards === null)
      throw new Refusal(walletErrors.payments_not_configured, { retryAfterSeconds: 3600 });
    await ctx.requireQuota();
    // The row comes first: it takes its room under the cap, and a retry or the sweep finds it whatever fails next.
    const { id, expiresAt } = await openTopUp(ctx, ports.cards, amountCents);
    let session: CheckoutSession;
    try {
      session = await ports.cards.createCheckout(`top_up:${id}`, {
        reference: { kind: 'top_up', id },
        amountCents,
        description: 'Wallet credits',
        capture: 'automatic',
        customerId: null,
        email: null,
        successUrl: walletPage(ctx, `funded?top_up=${id}`),
        cancelUrl: walletPage(ctx, `cancelled?top_up=${id}`),
        expiresAtMs: epochOf(expiresAt),
      });
    } catch (error) {
      if (!(error instanceof CardProcessorError)) throw error;
      // If a page was created after all, nobody has its URL and nobody can pay there.
      ports.background.run(ports.market.commit(closeTopUp(id, { failure: 'no_checkout' })));
      throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 5 });
    }
    const answer = {
      amountCents,
      checkoutUrl: session.url ?? '',
      expiresAt,
      status: 'open' as const,
      topUpId: id,
    };
    try {
      await ctx.commit(attachCheckout(id, session, isoTime(now + OPEN_CHECK_MS)), answer);
    } catch (error) {
      if (!isNoLongerOpen(error)) throw error;
      throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 5 });
    }
    return answer;
  },
});

/**
 * A request that broke off may have left a top-up without a page. Its retry continues with that top-up, and the
 * processor gives the same page for the same key.
 */
async function openTopUp(
  ctx: OperationContext<'agent'>,
  cards: CardProcessor,
  amountCents: number,
): Promise<NewTopUp> {
  const { ports, caller } = ctx;
  const id = await ctx.stableId();
  try {
    return await createTopUp(ctx, id, amountCents);
  } catch (error) {
    if (!isKnownTopUp(error) && !hasNoHeadroom(error)) throw error;
    const earlier = await findTopUp(ports.market, id);
    if (earlier !== null && isUnfinished(earlier, { agentId: caller.agentId, amountCents })) return earlier;
    if (hasNoHeadroom(error)) await makeRoom({ ...ports, cards }, caller.agentId, amountCents);
  }
  try {
    return await createTopUp(ctx, ports.ids.uuid(), amountCents);
  } catch (error) {
    throw hasNoHeadroom(error) ? new Refusal(walletErrors.wallet_cap_exceeded) : error;
  }
}

async function makeRoom(
  ports: Parameters<typeof closeOlderPages>[0],
  agentId: string,
  amountCents: number,
): Promise<void> {
  try {
    if (await closeOlderPages(ports, agentId, amountCents)) return;
  } catch (error) {
    if (!(error instanceof CardProcessorError)) throw error;
    throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 5 });
  }
  throw new Refusal(walletErrors.wallet_cap_exceeded);
}

async function createTopUp(
  { ports, caller: { agentId }, now, withinQuota }: OperationContext<'agent'>,
  id: string,
  amountCents: number,
): Promise<NewTopUp> {
  const topUp: NewTopUp = {
    id,
    agentId,
    amountCents,
    source: 'checkout',
    charge: null,
    createdAt: isoTime(now),
    expiresAt: isoTime(now + CHECKOUT_LIFETIME_MS),
  };
  const statements = [
    ensureWallet(agentId),
    ...insertTopUp(topUp, isoTime(now + FIRST_CHECK_MS)),
    ...takeTopUpSubsidy(ports, topUp, 'page'),
  ];
  try {
    await ports.market.commit(withinQuota(statements));
  } catch (error) {
    throw subsidyRefusal(error, ports.clock.now()) ?? error;
  }
  return topUp;
}
