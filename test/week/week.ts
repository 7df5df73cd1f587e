import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { DEFAULT_SUBSIDIES } from '@agent-marketplace/core/subsidies/index.ts';
import type { RegisteredAgent } from '@agent-marketplace/core/testing/fixtures/new-seller.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { createUsdcShop } from '@agent-marketplace/core/testing/marketplace/usdc-shop.ts';
import { createBothOracles } from '../fault/oracle/judge-both.ts';
import { expectStatementsAddUp } from '../fault/statements-add-up.ts';
import { Clients, type Offered } from './clients.ts';
import { gatherEvidence } from './evidence.ts';
import { Finance } from './finance.ts';
import { Lines } from './lines.ts';
import { Operator } from './operator.ts';
import { Random } from './random.ts';
import { Sellers } from './sellers.ts';
import { Tally } from './tally.ts';

const HOUR_MS = 3600_000;
const HOURS = 7 * 24;
/** Time for escrow, for orders that banks hold up, and for what is looked at again only days later. */
const REST_DAYS = 14;
/** So long a part of what cards paid for is kept back, where a seller has more of it than its limit. */
const RESERVE_DAYS = 62;
const PRICES = [300, 1999, 2000, 4999, 12_345];
const QUERY_CENTS = 300;
const ORDERED = { priceCents: 2500, fulfilment: 'physical' };
const CENT = 10_000n;
/** For each purchase, so many offers. */
const OFFERS = 0.05;
const MENDING_TURNS = 6;

export interface WeekPlan {
  readonly seed: number;
  readonly purchases: number;
  readonly buyers: number;
  readonly sellers: number;
  /** The jobs run so seldom, where time is dear: every hour where it is not given. */
  readonly stepHours?: number;
}

export type WeekReport = Awaited<ReturnType<typeof liveThroughWeek>>;

/**
 * A week of a marketplace: purchases on every rail, one outside call of twenty failing, finance at work in the
 * processor's dashboard, chargebacks, webhooks that come twice, in any order or never. Then the operator mends what is
 * listed as overdue, and whoever is owed something has it.
 */
export async function liveThroughWeek(plan: WeekPlan) {
  const { seed, purchases, buyers, sellers: sellerCount, stepHours = 1 } = plan;
  const tally = new Tally(new Random(seed));
  const { random } = tally;
  // All buyers fill their wallets on the first day, which is more than one day bears.
  const topUps = { ...DEFAULT_SUBSIDIES.topUps, dayCents: 100 * DEFAULT_SUBSIDIES.topUps.dayCents };
  const query = createQueryMarketplace({ subsidies: { ...DEFAULT_SUBSIDIES, topUps } });
  const { sales, market, chain } = query;
  const { cards } = sales;
  const lines = new Lines(query, tally, new Random(seed + 1_000_003));
  const finance = new Finance(query, tally);
  const operator = new Operator(query, tally);
  const { oracle, differences: judge } = createBothOracles(query, { bank: operator.bank });
  const shop = createUsdcShop(query);
  const sellers: RegisteredAgent[] = [];
  // One in three is paid in USDC. The processor restricts the account of the first.
  const restricted = await sales.seller();
  for (let made = 1; made < sellerCount; made += 1)
    sellers.push(made % 3 === 0 ? (await shop.open()).seller : await sales.seller());
  sellers.push(restricted);
  const listings: Offered[] = [];
  for (const seller of sellers)
    for (const fields of [...PRICES.map((priceCents) => ({ priceCents })), ORDERED])
      listings.push({ id: (await sales.listing(fields, seller)).id, seller });
  const exclusive: Offered[] = [];
  for (let made = 0; made < purchases * OFFERS; made += 1) {
    const seller = random.pick(sellers);
    const fields = { priceCents: 5000, listingType: 'exclusive' };
    exclusive.push({ id: (await sales.listing(fields, seller)).id, seller });
  }
  const clients = new Clients(query, lines, tally, {
    listings,
    exclusive,
    free: (await sales.listing({ priceCents: 0 })).id,
    queried: (await sales.listing({ priceCents: QUERY_CENTS }, (await shop.open()).seller)).id,
    queryCents: QUERY_CENTS,
  });
  const shippers = new Sellers(query, tally, sellers);
  // What a payout costs has small ones wait for others.
  chain.gasState = { balanceWei: 10n ** 18n, transfersLeft: 1_000_000, payoutUnits: 5n * CENT };
  chain.fund(chain.payTo, 10_000_000n * CENT);
  await clients.register(buyers);

  async function pass(hours: number, lostWebhooks: number): Promise<void> {
    await finance.tellMarketplace(lostWebhooks);
    market.clock.advance(hours * HOUR_MS);
    await runEveryMinute(market.newPorts());
    await market.background.settled();
    await clients.resendQueries();
    market.log.lines.length = 0;
  }

  async function live(): Promise<void> {
    await clients.buy();
    if (random.chance(0.03)) await clients.buyInBulk();
    if (random.chance(OFFERS)) await clients.makeOffer();
    if (random.chance(0.03)) await clients.topUp();
    if (random.chance(0.04)) await clients.complain();
    if (random.chance(0.02) && clients.bought.length > 0) await operator.hold(random.pick(clients.bought).id);
    if (random.chance(0.03)) finance.useDashboard();
    if (random.chance(0.03)) finance.chargeBack();
  }

  /** What chance may have left out of a small week. */
  async function doOnceAtLeast(): Promise<void> {
    for (let tries = 0; tries < 20 && !tally.counts.disputes; tries += 1) await clients.complain();
    for (let tries = 0; tries < 5 && !tally.counts.bulk; tries += 1) await clients.buyInBulk();
    for (let tries = 0; tries < 5 && !tally.counts.offers; tries += 1) await clients.makeOffer();
  }

  lines.break();
  for (let hour = 0; hour < HOURS; hour += stepHours) {
    const due = Math.floor((purchases * (hour + stepHours)) / HOURS) - Math.floor((purchases * hour) / HOURS);
    for (let n = 0; n < due; n += 1) await live();
    if (hour === 2 * 24) await doOnceAtLeast();
    if (hour === 3 * 24) cards.dashboard.restrictAccount(restricted.accountId);
    if (hour % 12 === 0) finance.changeRefunds();
    finance.decideChargebacks(0.02);
    finance.appealChargebacks(0.005);
    await clients.endOffers();
    if (hour % 12 === 0) await shippers.ship(0.6);
    if (hour % 6 === 0) await operator.decideDisputes(0.5);
    await operator.letBuyAgain(clients.limited);
    await pass(stepHours, 0.1);
  }
  lines.mend();
  await clients.endOffers();
  finance.decideChargebacks(1);
  finance.endRefunds();
  // Finance fills up what fees of the processor have worn down, so that every seller can be paid.
  cards.dashboard.fund(10_000_000);
  for (let hour = 0; hour < REST_DAYS * 24; hour += 6 * stepHours) await pass(6 * stepHours, 0);
  for (let day = 0; day < RESERVE_DAYS; day += stepHours) await pass(24 * stepHours, 0);
  const overdueBefore = await operator.overdue();
  for (let turn = 0; turn < MENDING_TURNS; turn += 1) {
    await operator.decideDisputes(1, { isLast: true });
    await operator.mendOverdue(turn);
    await pass(1, 0);
  }
  await operator.explainBalance();

  const overdue = await operator.overdue();
  const { findings, balances } = await operator.reconcile();
  await sales.audit();
  await expectStatementsAddUp(sales);
  const differences = [...(await judge()), ...clients.judgeQueries()];
  const unfinished = [...oracle.sales.values()]
    .filter(({ status }) => !/^(released|refunded|failed|expired)$/.test(status))
    .map(({ id, status, rail }) => ({ id, status, rail }));
  return {
    counts: Object.fromEntries(Object.entries(tally.counts).toSorted(([a], [b]) => (a < b ? -1 : 1))),
    overdueBefore: overdueBefore.length,
    overdue,
    differences,
    evidence: await gatherEvidence(sales, differences),
    findings,
    balances,
    unfinished,
    sales: oracle.sales.size,
  };
}
