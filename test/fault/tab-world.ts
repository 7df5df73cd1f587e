import { runEveryMinute } from '@agent-marketplace/core/compose/jobs.ts';
import { compareLedgerEntries, readChainTransfers } from '@agent-marketplace/core/ledger/index.ts';
import { sellerOf } from '@agent-marketplace/core/testing/doubles/fake-seller-endpoint.ts';
import { tabClientOf } from '@agent-marketplace/core/testing/fixtures/tabs.ts';
import { createQueryMarketplace } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { TEST_ADMIN_SECRET } from '@agent-marketplace/core/testing/marketplace/test-bindings.ts';
import { afterEach, beforeAll, beforeEach, expect } from 'vitest';

const MINUTE = 60_000;
export const CENT = 10_000;
export const PAYER_UNITS = 10_000_000;
const admin = { 'x-mkt-admin': TEST_ADMIN_SECRET };

export interface TabRow {
  readonly limit_micros: number;
  readonly reserved_micros: number;
  readonly charged_micros: number;
  readonly rest_cents: number;
  readonly return_transaction: string | null;
}

/**
 * A marketplace with payers of tabs, for the file that calls it. Its books are audited after each test. With one seller for
 * all listings the jobs of every minute have as little to do in the last test as in the first.
 */
export function createTabWorld({ hasOneSeller = false } = {}) {
  const x402 = createQueryMarketplace();
  const { sales, market, chain } = x402;
  const tabs = tabClientOf(x402);

  beforeEach(() => {
    market.sellerEndpoint.script = sellerOf({ answer: 42 });
    chain.gasState = { balanceWei: 10n ** 18n, transfersLeft: 1_000_000, payoutUnits: 4_000n };
  });
  // The chain is read from its first reading on.
  beforeAll(async () => {
    await readChainTransfers(market.newPorts());
    market.clock.advance(6 * MINUTE);
    chain.mine();
  });
  afterEach(async () => {
    await x402.heal();
    await sales.audit();
  });

  let known: ReturnType<typeof sales.seller> | null = null;
  const onlySeller = () => (known ??= sales.seller());

  /** A payer and a listing, of half a thousandth of a dollar if nothing else is said. */
  async function shop(priceMicros = 500) {
    const seller = await (hasOneSeller ? onlySeller() : sales.seller());
    const price = { priceCents: Math.ceil(priceMicros / CENT), priceMicros };
    const { id } = await sales.listing(price, seller);
    const payer = x402.newPayer(BigInt(PAYER_UNITS));
    return { id, seller, payer, balance: () => Number(chain.balanceOf(payer.address)) };
  }

  async function openTab(cents = 100, priceMicros = 500) {
    const found = await shop(priceMicros);
    return { ...found, tabId: await openAt(found, cents) };
  }

  /** Another tab of a payer. */
  async function openAt({ id, payer }: Pick<Awaited<ReturnType<typeof shop>>, 'id' | 'payer'>, cents = 100) {
    const opened = await tabs.open(id, cents, await tabs.payFor(payer, id, cents));
    expect(opened.status, opened.text).toBe(200);
    return String(opened.body.tabId);
  }

  const rowOf = async (tabId: string): Promise<TabRow | undefined> =>
    (await sales.rows<TabRow>('SELECT * FROM tabs WHERE purchase_id = ?', tabId))[0];
  const salesOf = (id: string) =>
    sales.rows<{ status: string; amount_cents: number }>(
      'SELECT status, amount_cents FROM purchases WHERE listing_id = ?',
      id,
    );

  async function minutes(count = 3): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      market.clock.advance(MINUTE);
      await runEveryMinute(market.newPorts());
      await market.background.settled();
    }
  }

  /** What the reconciliation finds about USDC, in sums and transaction by transaction. */
  async function findings() {
    market.clock.advance(6 * MINUTE);
    chain.mine();
    await readChainTransfers(market.newPorts());
    await compareLedgerEntries(market.newPorts());
    const { body } = await sales.request('GET', '/admin/reconciliation', null, undefined, admin);
    const { findings: found, objects } = body as unknown as {
      findings: readonly { check: string }[];
      objects: Record<'differs' | 'onlyInLedger' | 'onlyOutside', readonly { id: string; rail: string }[]>;
    };
    const { differs, onlyInLedger, onlyOutside } = objects;
    return [...found, ...[...differs, ...onlyInLedger, ...onlyOutside].filter(({ rail }) => rail === 'usdc')];
  }

  return { x402, tabs, shop, openTab, openAt, rowOf, salesOf, minutes, findings };
}
