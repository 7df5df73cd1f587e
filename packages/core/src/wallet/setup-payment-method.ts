import * as z from 'zod';
import { fundingErrors, requireUnbounded } from '../budgets/index.ts';
import { commonErrors, Refusal } from '../kernel/errors.ts';
import { defineOperation } from '../kernel/operation/operation.ts';
import { type CardProcessor, CardProcessorError } from '../kernel/ports/card-processor.ts';
import { isoTime } from '../kernel/time.ts';
import { walletErrors } from './wallet.errors.ts';
import { walletPage } from './wallet.schema.ts';
import { readEmail, readWallet, recordSetup } from './wallet.store.ts';

/** Clause: the tool setup_payment_method. */
export const setupPaymentMethod = defineOperation({
  name: 'setupPaymentMethod',
  summary: 'Open a page where a person saves a card once, without a charge.',
  description: 'The card is kept by the card processor. A card saved later replaces the one before.',
  area: 'Purchasing',
  auth: 'agent',
  scope: 'manage',
  input: z.object({}),
  output: z.object({ setupUrl: z.string() }),
  errors: [walletErrors.payments_not_configured, fundingErrors.key_is_bounded],
  http: { method: 'post', path: '/wallet/payment-method', status: 200 },
  mcp: {
    tool: 'setup_payment_method',
    title: 'Save a card',
    description:
      'Open a page where a person saves a card once; nothing is charged. The card then pays with payment_method ' +
      '`card`, and auto-recharge. Give `setupUrl` to a person. Next: get_wallet_balance shows `savedCard`.',
    hints: { readOnly: false, destructive: false, idempotent: false },
  },
  rate: 'write',
  replay: 'stored',
  async handle(ctx) {
    const { ports, caller, now } = ctx;
    const { agentId } = caller;
    requireUnbounded(caller);
    if (ports.cards === null)
      throw new Refusal(walletErrors.payments_not_configured, { retryAfterSeconds: 3600 });
    // Checked before the processor is called: a smoke-test agent must not become its customer.
    if (caller.isSmokeTest) throw new Refusal(commonErrors.smoke_test_isolated);
    const [{ customerId: savedCustomerId }, email] = await Promise.all([
      readWallet(ports.market, agentId),
      readEmail(ports.market, agentId),
    ]);
    const { customerId, sessionId, url } = await openPage(
      ports.cards,
      { agentId, email, customerId: savedCustomerId },
      `setup:${ports.ids.uuid()}`,
      walletPage(ctx, 'card-saved'),
    );
    const answer = { setupUrl: url };
    await ctx.commit(recordSetup({ sessionId, agentId, customerId, createdAt: isoTime(now) }), answer);
    return answer;
  },
});

async function openPage(
  cards: CardProcessor,
  {
    agentId,
    email,
    customerId: existingId,
  }: { agentId: string; email: string | null; customerId: string | null },
  key: string,
  returnUrl: string,
): Promise<{ customerId: string; sessionId: string; url: string }> {
  try {
    // One key for each agent, so that concurrent requests create one customer.
    const { customerId } =
      existingId === null
        ? await cards.createCustomer(`customer:${agentId}`, { agentId, email })
        : { customerId: existingId };
    const session = await cards.createSetup(key, { customerId, agentId, returnUrl });
    return { customerId, ...session };
  } catch (error) {
    if (!(error instanceof CardProcessorError)) throw error;
    throw new Refusal(commonErrors.service_unavailable, { retryAfterSeconds: 5 });
  }
}
