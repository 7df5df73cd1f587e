import { createDatabase } from '@agent-marketplace/core/db/create-database.ts';
import { DEFAULT_RESERVE } from '@agent-marketplace/core/sales/escrow/reserve/reserve.rules.ts';
import { API_WORKER, type Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import type { Caller } from './caller.ts';
import type { Client } from './journal.ts';

const HOUR_MS = 3600_000;
/**
 * Escrow is over, every authorisation has lapsed, what was sent again has arrived, and the reserve has ended that keeps what
 * new sellers sold beyond their limit.
 */
const REST_DAYS = 12 + DEFAULT_RESERVE.days;
const STEP_HOURS = 24;
/** The jobs take so many sales a run; a long soak has more. */
const MOST_RUNS = 200;
const CAPTURED = /^(held|releasing|released)$/;
const OVER = /^(released|refunded|failed|expired)$/;

interface Judged {
  readonly market: Marketplace;
  readonly caller: Caller;
  readonly clients: readonly Client[];
  /** Ids of purchases that sellers answered well. */
  readonly delivered: readonly string[];
  readonly adminSecret: string;
}

interface PurchaseRow {
  readonly id: string;
  readonly buyer_id: string;
  readonly status: string;
  readonly rail: string;
  readonly amount_cents: number;
}

/** Lets everything come to its end, and compares what each client knows with the books, to the cent. */
export async function judge({ market, caller, clients, delivered, adminSecret }: Judged) {
  const differences: string[] = [];
  const expectNone = (what: string, found: readonly unknown[]) => {
    for (const one of found) differences.push(`${what}: ${JSON.stringify(one)}`);
  };
  const db = createDatabase(
    (await market.miniflare.getD1Database('DB', API_WORKER)) as unknown as D1Database,
  );
  const rows = <Row>(sql: string) => db.all<Row>({ sql, params: [] });

  const runJobs = async () => {
    await market.runScheduled();
    await market.cards?.control.webhooks.settled();
  };
  await market.cards?.control.webhooks.settled();
  for (let hours = 0; hours < REST_DAYS * 24; hours += STEP_HOURS) {
    await market.advanceClock(STEP_HOURS * HOUR_MS);
    await runJobs();
  }
  const unfinished =
    "SELECT 1 FROM purchases WHERE status NOT IN ('released', 'refunded', 'failed', 'expired') LIMIT 1";
  for (let run = 0; run < MOST_RUNS && (await rows(unfinished)).length > 0; run += 1) {
    await market.advanceClock(HOUR_MS);
    await runJobs();
  }
  await runJobs();

  const ask = async (path: string, apiKey?: string) =>
    (await caller.ask('GET', path, apiKey ? { apiKey } : { headers: { 'X-MKT-Admin': adminSecret } }))?.body;
  const reconciliation = await ask('/admin/reconciliation');
  expectNone('reconciliation', reconciliation?.findings ?? ['no answer']);
  expectNone('overdue', (await ask('/admin/overdue'))?.overdue ?? ['no answer']);
  expectNone(
    'a posting whose legs do not sum to zero',
    await rows(`SELECT p.id FROM ledger_postings p LEFT JOIN ledger_entries e ON e.posting_id = p.id
      GROUP BY p.id HAVING COALESCE(SUM(e.amount_cents), 1) <> 0`),
  );
  expectNone(
    'accounts that do not sum to zero',
    await rows('SELECT SUM(balance_cents) AS cents FROM ledger_accounts HAVING cents <> 0'),
  );

  const purchases = await rows<PurchaseRow>(
    'SELECT id, buyer_id, status, rail, amount_cents FROM purchases WHERE amount_cents > 0',
  );
  expectNone(
    'a purchase that is not over',
    purchases.filter(({ status }) => !OVER.test(status)),
  );
  const paidTopUps = await rows<{ id: string; agent_id: string; amount_cents: number }>(
    "SELECT id, agent_id, amount_cents FROM wallet_top_ups WHERE status = 'paid'",
  );
  const answered = new Set(delivered);
  let paidCents = 0;
  for (const client of clients) {
    const own = purchases.filter(({ buyer_id }) => buyer_id === client.id);
    const captured = own.filter(({ status }) => CAPTURED.test(status));
    const shown = client.attempts.filter(({ outcome }) => outcome === 'shown');
    const shownIds = new Set(shown.map(({ purchaseId }) => purchaseId));
    expectNone(
      'paid, and its buyer was told that it is not',
      captured.filter(({ id }) => !shownIds.has(id)),
    );
    expectNone(
      'shown, and not paid or not there',
      shown.filter(({ purchaseId }) => !captured.some(({ id }) => id === purchaseId)),
    );
    expectNone('one purchase for two requests', shown.length === shownIds.size ? [] : [client.id]);
    expectNone(
      'paid, and its seller never delivered it',
      captured.filter(({ id }) => !answered.has(id)),
    );
    expectNone(
      'an attempt without an end',
      client.attempts.filter(({ outcome }) => outcome === 'unknown'),
    );
    const ownTopUps = paidTopUps.filter(({ agent_id }) => agent_id === client.id);
    expectNone(
      'paid for, and not in the wallet',
      [...client.paidTopUps].filter((id) => !ownTopUps.some((one) => one.id === id)),
    );
    const spentCents = sumOf(captured.filter(({ rail }) => rail === 'wallet'));
    paidCents += sumOf(captured);
    const { balanceCents = 0, refundCreditCents = 0 } = (await ask('/wallet/balance', client.apiKey)) ?? {};
    const leftCents = balanceCents + refundCreditCents;
    const expectedCents = sumOf(ownTopUps) - spentCents;
    if (leftCents !== expectedCents)
      differences.push(`wallet of ${client.id}: ${leftCents} cents, and ${expectedCents} by its journal`);
  }
  const texts = new Map(
    (await rows<{ text: string; n: number }>('SELECT text, COUNT(*) AS n FROM messages GROUP BY text')).map(
      ({ text, n }) => [text, n],
    ),
  );
  expectNone(
    'a message that was accepted, and is not there once',
    clients.flatMap(({ sentTexts }) => sentTexts).filter((text) => texts.get(text) !== 1),
  );
  const rated = new Set(
    (await rows<{ purchase_id: string }>('SELECT purchase_id FROM ratings')).map(
      ({ purchase_id }) => purchase_id,
    ),
  );
  expectNone(
    'a rating that was accepted, and is not there',
    clients.flatMap(({ ratedPurchases }) => [...ratedPurchases]).filter((id) => !rated.has(id)),
  );
  return {
    differences,
    purchases: purchases.length,
    captured: purchases.filter(({ status }) => CAPTURED.test(status)).length,
    paidCents,
    toppedUpCents: sumOf(paidTopUps),
    balances: reconciliation?.balances ?? [],
  };
}

const sumOf = (all: readonly { readonly amount_cents: number }[]): number =>
  all.reduce((sum, { amount_cents }) => sum + amount_cents, 0);
