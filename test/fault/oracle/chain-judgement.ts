import type { TransferAuthorization } from '@agent-marketplace/core/kernel/ports/chain.ts';
import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { ClientJournal } from './client-journal.ts';
import { isReturned, type ProcessorLog } from './processor-log.ts';
import { STANDING } from './sale-judgement.ts';

export const UNITS_PER_CENT = 10_000n;
const PAGE = 100;

/** A sale as its seller is shown it. */
interface PublishedSale {
  readonly purchaseId: string;
  readonly status: string;
  readonly rail: string;
  readonly amountCents: number;
  readonly platformFeeCents: number;
}

export interface ChainSources {
  readonly journal: ClientJournal;
  readonly processor: Pick<ProcessorLog, 'transfers'>;
  readonly bank: (purchaseId: string) => { readonly payouts: readonly number[] };
  /** All that moved on chain, and the account of the platform. */
  readonly chain: { readonly transfers: readonly TransferAuthorization[]; readonly payTo: Hex };
  /** What strangers sent the platform for nothing, less what left it for nothing. */
  readonly depositedCents?: number;
  /** Whether a seller may have less than its share of a sale, because banks took of what paid for it. */
  readonly mayLack?: (purchaseId: string) => boolean;
  readonly ask: (path: string, apiKey: string) => Promise<unknown>;
}

/** What came from the platform to any of these wallets. */
export function receivedUnits(
  { transfers, payTo }: ChainSources['chain'],
  wallets: ReadonlySet<string> = new Set(),
): bigint {
  return transfers.reduce(
    (sum, { from, to, units }) => (isSame(from, payTo) && wallets.has(to.toLowerCase()) ? sum + units : sum),
    0n,
  );
}

/**
 * Where USDC must be, by what the chain shows and what sellers and payers were told: the wallets of each seller have its
 * share of what was released and neither processor nor bank paid; each payer paid for what it bought; nobody else has anything.
 */
export async function judgeChain({
  journal,
  processor,
  bank,
  chain,
  depositedCents = 0,
  mayLack = () => false,
  ask,
}: ChainSources): Promise<string[]> {
  const faults: string[] = [];
  const { payTo, transfers } = chain;
  const received = sumBy(
    transfers.filter(({ from }) => isSame(from, payTo)),
    ({ to }) => to,
  );
  const paid = sumBy(
    transfers.filter(({ to }) => isSame(to, payTo)),
    ({ from }) => from,
  );
  const paidByCard = new Map<string, number>();
  for (const transfer of processor.transfers) {
    const { purchaseId, amountCents } = transfer;
    if (!isReturned(transfer)) paidByCard.set(purchaseId, (paidByCard.get(purchaseId) ?? 0) + amountCents);
  }

  const statuses = new Map<string, string>();
  let standingUnits = 0n;
  for (const [sellerId, key] of journal.keys) {
    let least = 0n;
    let most = 0n;
    for (const sale of await readSales(ask, key)) {
      const { purchaseId, rail, status, amountCents, platformFeeCents } = sale;
      statuses.set(purchaseId, status);
      const isOnChain = rail === 'x402' && STANDING.has(status);
      if (isOnChain) standingUnits += journal.payments.get(purchaseId)?.units ?? unitsOf(amountCents);
      const elsewhere = bank(purchaseId).payouts.reduce((sum, cents) => sum + cents, 0);
      const isPaidElsewhere = elsewhere > 0 || paidByCard.has(purchaseId);
      if (isPaidElsewhere || !STANDING.has(status) || status === 'held') continue;
      const units = unitsOf(amountCents - platformFeeCents);
      if (status === 'released' && !mayLack(purchaseId)) least += units;
      most += units;
    }
    const has = receivedUnits(chain, journal.wallets.get(sellerId));
    if (has < least || has > most)
      faults.push(`seller ${sellerId} has ${has} units on chain, and is owed ${least} to ${most}`);
  }

  const boughtBy = Map.groupBy(journal.payments, ([, { payer }]) => payer);
  for (const [payer, bought] of boughtBy) {
    const left = (paid.get(payer) ?? 0n) - (received.get(payer) ?? 0n);
    const owes = bought.reduce(
      (sum, [id, { units }]) => (STANDING.has(statuses.get(id) ?? '') ? sum + units : sum),
      0n,
    );
    if (left !== owes) faults.push(`payer ${payer} paid ${left} units for purchases of ${owes}`);
  }

  const ofSellers = new Set([...journal.wallets.values()].flatMap((wallets) => [...wallets]));
  const ofOthers = (sums: ReadonlyMap<string, bigint>) =>
    [...sums].reduce((sum, [who, units]) => (ofSellers.has(who) ? sum : sum + units), 0n);
  const kept = ofOthers(paid) - ofOthers(received) - unitsOf(depositedCents);
  if (kept !== standingUnits)
    faults.push(`payers paid ${kept} units that they have not back, for purchases of ${standingUnits}`);
  return faults;
}

async function readSales(ask: ChainSources['ask'], key: string): Promise<PublishedSale[]> {
  const sales: PublishedSale[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = (await ask(`/sales?limit=${PAGE}${cursor && `&cursor=${cursor}`}`, key)) as {
      readonly sales?: readonly PublishedSale[];
      readonly nextCursor?: string | null;
    };
    // Whoever never sold anything is refused.
    sales.push(...(page.sales ?? []));
    cursor = page.nextCursor ?? null;
  }
  return sales;
}

function sumBy(
  transfers: readonly TransferAuthorization[],
  whose: (transfer: TransferAuthorization) => string,
): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const transfer of transfers) {
    const who = whose(transfer).toLowerCase();
    sums.set(who, (sums.get(who) ?? 0n) + transfer.units);
  }
  return sums;
}

const unitsOf = (cents: number): bigint => BigInt(cents) * UNITS_PER_CENT;
const isSame = (one: Hex, other: Hex): boolean => one.toLowerCase() === other.toLowerCase();
