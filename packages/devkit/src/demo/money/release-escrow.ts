import { HOUR_MS } from '@agent-marketplace/core/kernel/time.ts';
import type { MarketplaceClient } from '@agent-marketplace/sdk';
import { API_WORKER } from '../../marketplace.ts';
import { type CardStage, dollars, type Purchase } from './card-stage.ts';
import type { PricedProduct } from './list-priced-product.ts';

interface Transfers {
  readonly data: readonly { readonly amount: number; readonly destination: string }[];
}

/** The money of both sales goes to their seller, when its time in escrow is over. */
export async function releaseEscrow(
  stage: CardStage,
  { seller }: PricedProduct,
  buyer: MarketplaceClient,
  sales: readonly Purchase[],
): Promise<void> {
  const { story, runScheduled, now, advanceClock } = stage;
  story.chapter('The seller is paid');
  story.page('/seller');
  const before = await seller.getEarnings();
  story.fact('in escrow', `${dollars(before.pendingCents)} of ${dollars(before.grossCents)}, net of fees`);
  story.say(
    'Money stays in escrow for 72 hours after delivery, while the buyer may open a dispute. The demo does',
  );
  story.say(
    "not wait: it advances the marketplace's clock. The job that releases such sales every minute runs",
  );
  story.say('an hour before the end, and again after it: held → releasing → released.');
  const deliveredAt = sales.map((sale) => Date.parse(sale.deliveredAt ?? ''));
  await advanceClock(Math.min(...deliveredAt) + 71 * HOUR_MS - now());
  await runScheduled();
  const early = await seller.getEarnings();
  const isHeld = early.availableCents === 0 && early.pendingCents === before.pendingCents;
  story.check(isHeld, 'after 71 hours, all of it is still in escrow');
  await advanceClock(Math.max(...deliveredAt) + 72 * HOUR_MS - now());
  await runScheduled();

  const [after, dashboard, ...seen] = await Promise.all([
    seller.getEarnings(),
    seller.getSellerDashboard(),
    ...sales.map(({ id }) => buyer.getPurchase({ purchaseId: id })),
  ]);
  const notified = dashboard.notifications.filter(({ type }) => type === 'sale.released').length;
  story.check(
    notified === sales.length && seen.every(({ status }) => status === 'released'),
    `${notified} sales are 'released': the seller has a notification, and the buyer sees it`,
  );
  story.fact(
    'earnings',
    `${dollars(after.availableCents)} released, ${dollars(after.pendingCents)} in escrow`,
  );
  story.check(
    after.pendingCents === 0 && after.availableCents === before.pendingCents,
    'GET /sell/earnings: nothing is in escrow any more',
  );
  for (const { id, rail, amountCents, platformFeeCents } of sales) {
    const { data } = await transfersOf(stage, id);
    const [transfer] = data;
    story.fact('transfer', `${dollars(transfer?.amount ?? 0)} to ${transfer?.destination} (${rail})`);
    story.check(
      data.length === 1 && transfer?.amount === amountCents - platformFeeCents,
      'the card processor has one transfer of the price less the fee',
    );
  }
}

/** Asks the card processor itself, as the platform. */
async function transfersOf({ cards, miniflare }: CardStage, purchaseId: string): Promise<Transfers> {
  const { STRIPE_SECRET_KEY } = await miniflare.getBindings<{ STRIPE_SECRET_KEY: string }>(API_WORKER);
  const response = await fetch(`${cards.url}/v1/transfers?transfer_group=${purchaseId}`, {
    headers: { authorization: `Bearer ${STRIPE_SECRET_KEY}` },
  });
  return response.json();
}
