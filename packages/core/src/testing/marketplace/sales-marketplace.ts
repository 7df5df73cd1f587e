import { expect } from 'vitest';
import { decideDispute, disputePurchase, listDisputes } from '../../disputes/index.ts';
import type { AnyOperation, Settings } from '../../kernel/operation/operation.ts';
import { acceptOffer, declineOffer, getOffer, makeOffer } from '../../offers/index.ts';
import { apiOperations } from '../../operations/api.ts';
import { findPayoutAccount, startOnboarding } from '../../payouts/index.ts';
import { bulkPurchase } from '../../purchases/index.ts';
import {
  advanceDueSales,
  refundLateSettlements,
  runEscrowClock,
  settleAccount,
  shipOrder,
} from '../../sales/index.ts';
import {
  completeSetup,
  fundWallet,
  getWalletBalance,
  settleTopUp,
  setupPaymentMethod,
} from '../../wallet/index.ts';
import { newListingOf, verifiedSellerOf } from '../fixtures/new-listing.ts';
import { newAgentOf, type RegisteredAgent } from '../fixtures/new-seller.ts';
import { FakeCardProcessor } from '../payments/fake-card-processor.ts';
import { readSigned } from './read-signed.ts';
import {
  createTestMarketplace,
  type TestMarketplace,
  type TestMarketplaceOptions,
} from './workers-harness.ts';

const OF_SALES: readonly AnyOperation[] = [
  getWalletBalance,
  fundWallet,
  setupPaymentMethod,
  disputePurchase,
  listDisputes,
  decideDispute,
  shipOrder,
  bulkPurchase,
  makeOffer,
  getOffer,
  acceptOffer,
  declineOffer,
];

export interface Bought {
  readonly id: string;
  readonly status: string;
  readonly rail: string;
  readonly amountCents: number;
  readonly platformFeeCents: number;
  readonly checkoutUrl: string | null;
  readonly content: unknown;
  readonly contentDigest: string | null;
  readonly contentStatus: string;
  readonly contentMatchesReceipt: boolean | null;
  readonly failureCode: string | null;
  readonly holdUntil: string | null;
  readonly linkExpiresAt: string | null;
  readonly receipt: { readonly statement: Record<string, unknown> } | null;
  readonly code?: string;
  readonly charged?: boolean;
}

export interface BuyOptions {
  readonly idempotencyKey?: string;
  readonly body?: object;
}

/** A marketplace where things cost money, with the fakes that a sale touches, and what people do there. */
export function createSalesMarketplace(
  settings: Partial<Settings> = {},
  more: Pick<TestMarketplaceOptions, 'overrides' | 'operations' | 'variables' | 'databases'> = {},
) {
  const cards: FakeCardProcessor = new FakeCardProcessor({ now: () => market.clock.now() });
  const known = new Set(apiOperations.map(({ name }) => name));
  const further = [...OF_SALES, ...(more.operations ?? [])].filter(({ name }) => !known.has(name));
  const market: TestMarketplace = createTestMarketplace({
    operations: [...apiOperations, ...further],
    overrides: { cards, ...more.overrides },
    settings,
    ...(more.variables ? { variables: more.variables } : {}),
    ...(more.databases ? { databases: more.databases } : {}),
  });

  async function request(method: string, path: string, apiKey: string | null, body?: object, headers = {}) {
    const response = await market.request(method, path, {
      headers,
      ...(body === undefined ? {} : { body }),
      ...(apiKey === null ? {} : { apiKey }),
    });
    const read = await readSigned(response);
    return { status: response.status, body: read.body as unknown as Bought, headers: response.headers };
  }

  /** Opens the seller's account at the processor; nothing is filled in yet. */
  async function connect(agent: RegisteredAgent, country = 'US'): Promise<string> {
    const ports = market.newPorts();
    const place = { returnUrl: 'http://localhost/back', refreshUrl: 'http://localhost/again' };
    await startOnboarding(ports, {
      sellerId: agent.id,
      country,
      email: null,
      ...place,
      setBy: 'key',
      changeHours: 48,
    });
    return (await findPayoutAccount(ports.market, agent.id))?.accountId ?? '';
  }

  /** A seller who can be paid: endpoint verified, payouts connected. */
  async function seller(country?: string): Promise<RegisteredAgent & { readonly accountId: string }> {
    const agent = await verifiedSellerOf(market);
    const accountId = await connect(agent, country);
    cards.onboard(accountId);
    await settleAccount(market.newPorts(), accountId);
    return { ...agent, accountId };
  }

  const rows: Rows = <Row>(sql: string, ...params: (string | number)[]): Promise<Row[]> =>
    market.newPorts().market.all<Row>({ sql, params });

  /** Somebody paid for credits: they are there. */
  async function fund(agent: RegisteredAgent, amountCents: number): Promise<void> {
    const { status, body } = await request('POST', '/wallet/fund', agent.apiKey, {
      amount_cents: amountCents,
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    await payTopUp(body.checkoutUrl);
  }

  async function payTopUp(checkoutUrl: unknown): Promise<void> {
    const sessionId = sessionOf(checkoutUrl);
    cards.payCheckout(sessionId, 'available_at_once');
    await settleTopUp(market.newPorts(), { sessionId });
  }

  async function saveCard(
    agent: RegisteredAgent,
    kind?: Parameters<typeof cards.saveCard>[1],
    fingerprint?: string,
  ): Promise<void> {
    const response = await market.request('POST', '/wallet/payment-method', {
      apiKey: agent.apiKey,
      body: {},
    });
    const sessionId = sessionOf((await readSigned(response)).body.setupUrl);
    cards.saveCard(sessionId, kind, fingerprint);
    await completeSetup(market.newPorts(), sessionId);
  }

  async function buyerWithCard(fingerprint?: string): Promise<RegisteredAgent> {
    const buyer = await newAgentOf(market);
    await saveCard(buyer, 'good', fingerprint);
    return buyer;
  }

  return {
    market,
    cards,
    request,
    connect,
    seller,
    rows,
    fund,
    payTopUp,
    saveCard,
    buyerWithCard,
    newAgent: (body?: Record<string, unknown>) => newAgentOf(market, body),

    async balanceOf({ apiKey }: RegisteredAgent): Promise<number> {
      const { body } = await request('GET', '/wallet/balance', apiKey);
      return (body as unknown as { balanceCents: number }).balanceCents;
    },

    listing: (fields: Record<string, unknown> = {}, by?: RegisteredAgent) => newListingWithSeller(fields, by),

    buy: (listingId: string, buyer: RegisteredAgent | null, { idempotencyKey, body = {} }: BuyOptions = {}) =>
      request(
        'POST',
        `/marketplace/listings/${listingId}/purchase`,
        buyer?.apiKey ?? null,
        body,
        idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      ),

    read: (purchaseId: string, buyer: RegisteredAgent, content: 'include' | 'omit' = 'include') =>
      request('GET', `/marketplace/purchases/${purchaseId}?content=${content}`, buyer.apiKey),

    async purchases(listingId: string): Promise<{ id: string; status: string; rail: string }[]> {
      return rows(
        'SELECT id, status, rail FROM purchases WHERE listing_id = ? ORDER BY created_at, id',
        listingId,
      );
    },

    async payment(purchaseId: string): Promise<Record<string, string | number | null>> {
      const [row] = await rows<Record<string, string | number | null>>(
        `SELECT payments.*, carrier, tracking_number, ship_by, shipped_at, transfers.account_id, transfer_id, refusals,
            releasing_since, payout_batch_id, COALESCE(card_payments.payment_id, checkout_payments.payment_id) AS payment_id,
            COALESCE(card_payments.charge_id, checkout_payments.charge_id, settled_by) AS charge_id, session_id
          FROM payments LEFT JOIN shipments USING (purchase_id) LEFT JOIN transfers USING (purchase_id)
            LEFT JOIN card_payments USING (purchase_id) LEFT JOIN checkout_payments USING (purchase_id)
            LEFT JOIN usdc_payments USING (purchase_id) WHERE purchase_id = ?`,
        purchaseId,
      );
      return row ?? {};
    },

    async account(name: string): Promise<number> {
      const [row] = await rows<{ balance: number }>(
        'SELECT balance_cents AS balance FROM ledger_accounts WHERE account = ?',
        name,
      );
      return row?.balance ?? 0;
    },

    async sold(listingId: string): Promise<number> {
      const [row] = await rows<{ n: number }>('SELECT sold_count AS n FROM listings WHERE id = ?', listingId);
      return row?.n ?? -1;
    },

    events: (agentId: string) =>
      rows<{ type: string }>('SELECT type FROM agent_events WHERE agent_id = ? ORDER BY rowid', agentId),

    finish: () => advanceDueSales(market.newPorts()),
    clock: () => runEscrowClock(market.newPorts()),

    /** As the jobs do every minute, over so long a time, with the processor's reports left out. */
    async pass(durationMs: number, steps = 4): Promise<void> {
      await market.background.settled();
      for (let step = 0; step < steps; step += 1) {
        market.clock.advance(durationMs / steps);
        await advanceDueSales(market.newPorts());
        await refundLateSettlements(market.newPorts());
        await runEscrowClock(market.newPorts());
      }
      await market.background.settled();
    },

    /** What must hold at any moment, whatever broke. */
    audit: () => audit(rows),
  };

  async function newListingWithSeller(fields: Record<string, unknown>, by: RegisteredAgent | undefined) {
    const owner = by ?? (await seller());
    return newListingOf(market, { priceCents: 1000, ...fields }, owner);
  }
}

/** The fake's pages have their session's id in their address. */
export function sessionOf(url: unknown): string {
  return String(url).split('/').at(-1) ?? '';
}

export type SalesMarketplace = ReturnType<typeof createSalesMarketplace>;

/**
 * Every window is what its policy and those below it committed to within it, by the sales and the open offers
 * themselves: nothing that a trigger keeps is read here but the windows.
 */
async function expectWindowsAgree(rows: Rows): Promise<void> {
  expect(
    await rows(`WITH RECURSIVE below (above_id, id) AS (
        SELECT id, id FROM spend_policies
        UNION ALL SELECT above_id, spend_policies.id FROM below JOIN spend_policies ON parent_id = below.id
      ), commitments AS (
        SELECT spends.policy_id, committed_at, amount_cents AS cents, CASE
            WHEN status IN ('failed', 'expired', 'refunded') THEN 'returned'
            WHEN status IN ('pending_payment', 'authorized') THEN 'reserved' ELSE 'spent' END AS state
          FROM spends JOIN purchases ON purchases.id = spends.id
        UNION ALL SELECT spends.policy_id, committed_at, amount_cents,
            CASE WHEN status = 'open' THEN state ELSE 'returned' END
          FROM spends JOIN offers ON offers.id = spends.id
      ), kept AS (
        SELECT window.*, COALESCE(SUM(cents) FILTER (WHERE state = 'reserved'), 0) AS reserved,
            COALESCE(SUM(cents) FILTER (WHERE state = 'spent'), 0) AS spent
          FROM spend_windows AS window LEFT JOIN below ON above_id = window.policy_id
            LEFT JOIN commitments ON commitments.policy_id = below.id AND CASE period
              WHEN 'day' THEN substr(committed_at, 1, 10) = starts_on
              WHEN 'week' THEN julianday(substr(committed_at, 1, 10)) - julianday(starts_on) BETWEEN 0 AND 6
              WHEN 'month' THEN substr(committed_at, 1, 7) || '-01' = starts_on ELSE 1 END
          GROUP BY window.policy_id, period, starts_on
      ) SELECT * FROM kept WHERE reserved <> reserved_cents OR spent <> spent_cents`),
    'windows of budgets that are not the sum of their sales and offers',
  ).toEqual([]);
}

type Rows = <Row>(sql: string, ...params: (string | number)[]) => Promise<Row[]>;

async function audit(rows: Rows): Promise<void> {
  const [sum] = await rows<{ total: number }>(
    'SELECT COALESCE(SUM(balance_cents), 0) AS total FROM ledger_accounts',
  );
  expect(sum?.total, 'the sum of all accounts').toBe(0);
  expect(
    await rows(`SELECT account, balance_cents FROM ledger_accounts AS a
      WHERE balance_cents <> (SELECT COALESCE(SUM(amount_cents), 0) FROM ledger_entries AS e WHERE e.account = a.account)`),
    'accounts whose entries do not sum to their balance',
  ).toEqual([]);
  expect(
    await rows(`SELECT id, status, balance_cents FROM purchases JOIN ledger_accounts ON account = 'reserved:' || id
      WHERE balance_cents <> CASE WHEN status = 'authorized' AND rail = 'wallet' THEN amount_cents ELSE 0 END`),
    'reserved money that is not that of an authorised wallet purchase',
  ).toEqual([]);
  expect(
    await rows(`SELECT seller_id, held, COALESCE(balance_cents, 0) AS escrow FROM (
        SELECT seller_id, SUM(CASE WHEN status IN ('held', 'releasing') THEN amount_cents - platform_fee_cents
          - COALESCE(taken_net_cents, 0) ELSE 0 END) AS held
          FROM purchases LEFT JOIN payments ON purchase_id = purchases.id GROUP BY seller_id)
      LEFT JOIN ledger_accounts ON account = 'escrow:' || seller_id WHERE held <> COALESCE(balance_cents, 0)`),
    'sellers whose escrow is not the sum of their sales in it',
  ).toEqual([]);
  expect(
    await rows(`SELECT id, sold_count, taken FROM (SELECT listings.id, sold_count, COUNT(purchases.id) AS taken
      FROM listings LEFT JOIN purchases ON listing_id = listings.id AND purchases.status NOT IN ('failed', 'expired')
        AND NOT (purchases.status = 'refunded' AND content_digest IS NULL)
        AND NOT (purchases.status = 'pending_payment' AND rail = 'checkout'
          AND NOT EXISTS (SELECT 1 FROM offers WHERE purchase_id = purchases.id))
      WHERE seller_kind = 'third_party' GROUP BY listings.id) WHERE sold_count <> taken`),
    'listings whose copies are not those of their purchases',
  ).toEqual([]);
  await expectWindowsAgree(rows);
}
