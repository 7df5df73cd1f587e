import { cardWebhook } from '@agent-marketplace/core/compose/card-webhook.ts';
import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { replied, sellerOf } from '@agent-marketplace/core/testing/fake-seller-endpoint.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/new-seller.ts';
import {
  createQueryMarketplace,
  type PaymentHeaders,
} from '@agent-marketplace/core/testing/query-marketplace.ts';
import { sessionOf } from '@agent-marketplace/core/testing/sales-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/test-bindings.ts';
import { createOracle } from '../fault/oracle/create-oracle.ts';
import { Random } from './random.ts';

const HOUR_MS = 3600_000;
const DAYS = 7;
/** Time for escrow, for orders that banks hold up, and for what is looked at again only days later. */
const REST_DAYS = 14;
const FAULTS = 0.05;
const PRICES = [300, 1999, 2000, 4999, 12_345];
const CENT = 10_000n;
const WALLET_CENTS = 50_000;
const ADMIN = { 'x-mkt-admin': TEST_ADMIN_SECRET };

export interface WeekPlan {
  readonly seed: number;
  readonly purchases: number;
  readonly buyers: number;
  readonly sellers: number;
}

export type WeekReport = Awaited<ReturnType<typeof liveThroughWeek>>;

interface Query {
  readonly payer: string;
  readonly headers: PaymentHeaders;
  isShown: boolean;
}

/**
 * A week of a marketplace: purchases on every rail, one outside call of twenty failing, finance at work in the
 * processor's dashboard, chargebacks, webhooks that come twice, in any order or never. Then all is mended, and whoever
 * is owed something has it.
 */
export async function liveThroughWeek({
  seed,
  purchases,
  buyers: buyerCount,
  sellers: sellerCount,
}: WeekPlan) {
  const random = new Random(seed);
  const query = createQueryMarketplace();
  const { sales, market, chain } = query;
  const { cards } = sales;
  const oracle = createOracle(market, cards);
  const counts: Record<string, number> = {};
  const count = (what: string) => {
    counts[what] = (counts[what] ?? 0) + 1;
  };

  const sellers = [];
  for (let made = 0; made < sellerCount; made += 1) sellers.push(await sales.seller());
  const listings: string[] = [];
  for (const seller of sellers)
    for (const priceCents of PRICES) listings.push((await sales.listing({ priceCents }, seller)).id);
  const querySeller = await sales.seller();
  const queried = await sales.listing({ priceCents: 300 }, querySeller);
  chain.fund(chain.payTo, 1_000_000n * CENT);
  const buyers: RegisteredAgent[] = [];
  for (let made = 0; made < buyerCount; made += 1) {
    const buyer = await sales.newAgent();
    await sales.fund(buyer, WALLET_CENTS);
    await sales.saveCard(buyer, random.chance(0.5) ? 'good' : 'available_at_once');
    buyers.push(buyer);
  }
  const bought: { id: string; buyer: RegisteredAgent }[] = [];
  const queries: Query[] = [];

  function breakThings(): void {
    const fault = () => {
      if (!random.chance(FAULTS)) return undefined;
      count('faults');
      return random.pick(['lose_request', 'lose_reply'] as const);
    };
    cards.fault = fault;
    chain.fault = fault;
    market.sellerEndpoint.fault = fault;
    const answer = sellerOf({ answer: 42 });
    market.sellerEndpoint.script = (request) =>
      random.chance(FAULTS) ? replied('Down.', 503) : answer(request);
  }

  function mendThings(): void {
    cards.fault = () => undefined;
    chain.fault = () => undefined;
    market.sellerEndpoint.fault = () => undefined;
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
  }

  async function buyForUsdc(): Promise<void> {
    mendThings();
    const payer = query.newPayer(300n * CENT);
    const headers = await query.pay(payer, queried.id, 2);
    breakThings();
    const record = { payer: payer.address.toLowerCase(), headers, isShown: false };
    queries.push(record);
    for (let tries = 0; tries < 3 && !record.isShown; tries += 1) {
      await resend(record);
      market.clock.advance(2000);
    }
  }

  async function resend(record: Query): Promise<void> {
    const { status } = await query.query(queried.id, record.headers);
    record.isShown = status === 200;
  }

  async function buy(): Promise<void> {
    const method = random.pick(['wallet', 'card', 'checkout', 'usdc'] as const);
    count(method);
    if (method === 'usdc') return buyForUsdc();
    const buyer = random.pick(buyers);
    const options = { body: { payment_method: method }, idempotencyKey: `week-${counts[method]}-${method}` };
    const listing = random.pick(listings);
    let answer = await sales.buy(listing, buyer, options);
    // Whoever gets no answer asks again, mostly.
    if (answer.status >= 500 && random.chance(0.8)) answer = await sales.buy(listing, buyer, options);
    if (answer.status >= 300) return count(`${method} refused`);
    const { id, checkoutUrl } = answer.body;
    bought.push({ id, buyer });
    if (!checkoutUrl || random.chance(0.2)) return;
    cards.payCheckout(
      sessionOf(checkoutUrl),
      random.pick(['good', 'available_at_once', 'declined'] as const),
    );
    if (random.chance(0.7)) await sales.read(id, buyer);
  }

  async function complain(): Promise<void> {
    const { id, buyer } = random.pick(bought);
    const path = `/marketplace/purchases/${id}/dispute`;
    const opened = await sales.request('POST', path, buyer.apiKey, { reason: 'Wrong.' });
    if (opened.status !== 200) return;
    count('disputes');
    const decision = random.pick(['refund', 'release']);
    await sales.request('POST', `/admin/disputes/${id}/decision`, null, { decision }, ADMIN);
  }

  /** What the processor refuses finance cannot do either. */
  function tryInDashboard(what: string, act: () => unknown): void {
    try {
      act();
      count(what);
    } catch {}
  }

  function useDashboard(): void {
    const { paymentId, amountCents } = random.pick(cards.payments);
    const { dashboard } = cards;
    tryInDashboard(
      'dashboard',
      random.pick([
        () => dashboard.refund(paymentId, amountCents),
        () => dashboard.capture(paymentId),
        () => dashboard.cancel(paymentId),
        () => {
          const { transferId, amountCents: sentCents } = random.pick(cards.transfers);
          dashboard.reverseTransfer(transferId, sentCents);
        },
      ]),
    );
  }

  function chargeBack(): void {
    tryInDashboard('chargebacks', () => cards.disputePayment(random.pick(cards.payments).paymentId));
  }

  function decideChargebacks(share: number): void {
    for (const { disputeId, status } of cards.disputes)
      if (status === 'open' && random.chance(share))
        cards.closeDispute(disputeId, random.pick(['won', 'lost']));
  }

  async function hearProcessor(lostShare: number): Promise<void> {
    const told = (await cards.takeWebhooks()).filter(() => !random.chance(lostShare));
    for (const { rawBody } of random.shuffle(
      told.flatMap((one) => (random.chance(0.2) ? [one, one] : [one])),
    )) {
      const { signatureHeader } = await cards.repeatWebhook(rawBody);
      await cardWebhook.take(market.newPorts(), rawBody, signatureHeader).catch(() => {});
    }
  }

  async function passHour(lostWebhooks: number): Promise<void> {
    await hearProcessor(lostWebhooks);
    market.clock.advance(HOUR_MS);
    await runEveryMinute(market.newPorts());
    await market.background.settled();
    // Whoever was not answered asks again, as the documents say, until the money is back.
    for (const record of queries) if (!record.isShown) await resend(record);
    market.log.lines.length = 0;
  }

  const HOURS = DAYS * 24;
  breakThings();
  for (let hour = 0; hour < HOURS; hour += 1) {
    const due = Math.floor((purchases * (hour + 1)) / HOURS) - Math.floor((purchases * hour) / HOURS);
    for (let n = 0; n < due; n += 1) {
      await buy();
      if (bought.length > 0 && random.chance(0.05)) await complain();
      if (random.chance(0.03)) useDashboard();
      if (random.chance(0.03)) chargeBack();
    }
    if (hour === 3 * 24) cards.dashboard.restrictAccount(sellers[0]?.accountId ?? '');
    decideChargebacks(0.02);
    await passHour(0.1);
  }
  mendThings();
  decideChargebacks(1);
  // Finance fills up what fees of the processor have worn down, so that every seller can be paid.
  cards.dashboard.fund(1_000_000);
  for (let hour = 0; hour < REST_DAYS * 24; hour += 6) {
    market.clock.advance(5 * HOUR_MS);
    await passHour(0);
  }

  const { body } = await sales.request(
    'GET',
    '/admin/reconciliation?usdcAddedCents=1000000',
    null,
    undefined,
    ADMIN,
  );
  const { findings, objects } = body as unknown as { findings: unknown[]; objects: unknown };
  await sales.audit();
  const differences = [...(await oracle.differences({ everything: true })), ...judgeQueries()];
  const unfinished = [...oracle.sales.values()].filter(
    ({ status }) => !/^(released|refunded|failed|expired)$/.test(status),
  );
  return {
    counts,
    differences,
    findings,
    objects,
    unfinished: unfinished.map(({ id, status, rail }) => ({ id, status, rail })),
    sales: oracle.sales.size,
  };

  /** On chain: whoever was shown data has paid for it once, and whoever was not has its money. */
  function judgeQueries(): string[] {
    return queries.flatMap(({ payer, isShown }) => {
      const left = chain.balanceOf(payer as `0x${string}`);
      const expected = isShown ? 0n : 300n * CENT;
      return left === expected ? [] : [`payer ${payer} was shown: ${isShown}, and has ${left}`];
    });
  }
}
