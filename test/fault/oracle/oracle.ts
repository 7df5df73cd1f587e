import type { ClientJournal } from './client-journal.ts';
import { type ProcessorLog, ReadProcessorLog } from './processor-log.ts';
import { type PublishedSchedule, publishedFeeCents } from './published-fee.ts';
import { addMoney, judgeSale, type MoneySeen, type PublishedPurchase, STANDING } from './sale-judgement.ts';

/** A sale as it was last judged: what its seller and its buyer's wallet have of it. */
export interface JudgedSale extends PublishedPurchase {
  readonly feeCents: number;
  readonly buyerKey: string;
}

/** Where the oracle reads: logs of what is outside, what clients keep, and the published interface. */
export interface Sources {
  readonly journal: ClientJournal;
  readonly processor: () => ProcessorLog;
  /** What else took or paid money for a purchase, beside the processor: banks, a chain. */
  readonly elsewhere: readonly ((purchase: PublishedPurchase) => Partial<MoneySeen>)[];
  readonly ask: (path: string, apiKey: string | null) => Promise<unknown>;
  readonly onChain?: PaidOnChain;
}

/** Sellers who are paid on chain, for several sales at once. */
export interface PaidOnChain {
  readonly paysFor: (sale: PublishedPurchase) => boolean;
  readonly receivedCents: (sellerId: string) => number;
}

interface PublishedWallet {
  readonly balanceCents: number;
  readonly refundCreditCents: number;
  readonly reservedCents: number;
}

interface PublishedEarnings {
  readonly availableCents: number;
  readonly pendingCents: number;
  readonly grossCents: number;
  readonly platformFeeCents: number;
}

/**
 * A second ledger that shares nothing with the marketplace's: from what moved outside and what clients were told it
 * computes who is owed what, and compares that with what the marketplace publishes. It reads no table.
 */
export class Oracle {
  readonly sales = new Map<string, JudgedSale>();
  readonly #sources: Sources;
  readonly #buyers = new Map<string, string>();
  /** Paid top-ups and who opened them. */
  readonly #topUps = new Map<string, string>();
  #schedules: readonly PublishedSchedule[] = [];
  #lacking: ReadonlySet<string> = new Set();
  #bearing: ReadonlySet<string> = new Set();
  /** By seller: what banks took of sales that it had been paid for, and what they gave back. */
  readonly #claims = new Map<string, { claimedCents: number; givenBackCents: number }>();
  #entriesRead = 0;
  #paymentsRead = 0;

  get journal(): ClientJournal {
    return this.#sources.journal;
  }

  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Everything that differs, since it last looked; `everything`: also what nobody touched since. */
  async differences({ everything = false } = {}): Promise<string[]> {
    const { journal, processor } = this.#sources;
    if (this.#schedules.length === 0) {
      const fees = (await this.#sources.ask('/fees', null)) as { history: PublishedSchedule[] };
      this.#schedules = fees.history;
    }
    const heard = journal.take();
    const keys = new Set(everything ? journal.keys.values() : heard.keys);
    const log = processor();
    const read = new ReadProcessorLog(log);
    const purchases = new Set(everything ? [...this.sales.keys(), ...heard.purchases] : heard.purchases);
    const topUps = new Set<string>();
    const references = new Map(log.payments.map(({ paymentId, reference }) => [paymentId, reference]));
    const moved = [
      ...log.payments.slice(this.#paymentsRead).map(({ paymentId }) => paymentId),
      ...log.entries.slice(this.#entriesRead).map(({ paymentId }) => paymentId ?? ''),
    ];
    for (const paymentId of moved) {
      const reference = references.get(paymentId);
      if (reference?.kind === 'purchase') purchases.add(reference.id);
      if (reference?.kind === 'top_up') topUps.add(reference.id);
    }
    for (const { purchaseId } of log.transfers) if (!this.sales.has(purchaseId)) purchases.add(purchaseId);
    this.#paymentsRead = log.payments.length;
    this.#entriesRead = log.entries.length;

    for (const [id, key] of journal.topUps) this.#topUps.set(id, key);
    for (const key of keys) await this.#readMovements(key, purchases);
    const faults: string[] = [];
    for (const id of topUps) {
      const owner = this.#topUps.get(id);
      if (owner) keys.add(owner);
      else faults.push(...expectGivenBack(id, read.of(id)));
    }
    this.#claims.clear();
    for (const id of purchases) await this.#readSale(id, keys);
    for (const id of purchases) {
      const sale = this.sales.get(id);
      if (sale) faults.push(...this.#judge(sale, read));
      else faults.push(...expectGivenBack(id, read.of(id)));
    }
    this.#findLacking(read, log);
    const sellers = new Set([...purchases].flatMap((id) => this.sales.get(id)?.sellerId ?? []));
    for (const key of keys) faults.push(...(await this.#judgeWallet(key, read)));
    for (const seller of sellers)
      faults.push(...(await this.#judgeSeller(seller, read)), ...this.#judgeWithheld(seller, read));
    return faults;
  }

  /** A sale may have ended by the clock since it was last read: where the sums differ, those in escrow are read again. */
  async #judgeSeller(sellerId: string, read: ReadProcessorLog): Promise<string[]> {
    if ((await this.#judgeEarnings(sellerId, read)).length === 0) return [];
    const inEscrow = [...this.sales.values()].filter(
      (sale) => sale.sellerId === sellerId && STANDING.has(sale.status) && sale.status !== 'released',
    );
    const faults: string[] = [];
    for (const { id, buyerKey } of inEscrow) {
      const sale = await this.#readSale(id, new Set([buyerKey]));
      if (sale) faults.push(...this.#judge(sale, read));
    }
    return [...faults, ...(await this.#judgeEarnings(sellerId, read))];
  }

  /** The fee of a price under the schedule that a sale was made under. */
  feeCents(version: number, priceCents: number): number {
    const schedule = this.#schedules.find((one) => one.version === version);
    if (!schedule) throw new Error(`Nobody published fee schedule ${version}.`);
    return publishedFeeCents(schedule, priceCents);
  }

  /** What a wallet's transactions name: purchases and top-ups whose answer never reached their buyer. */
  async #readMovements(key: string, purchases: Set<string>): Promise<void> {
    const PAGE = 100;
    for (let offset = 0; ; offset += PAGE) {
      const page = (await this.#sources.ask(`/wallet/transactions?limit=${PAGE}&offset=${offset}`, key)) as {
        hasMore: boolean;
        transactions?: { purchaseId: string | null; topUpId: string | null }[];
      };
      // Of an account that is no more.
      if (page.transactions === undefined) return;
      for (const { purchaseId, topUpId } of page.transactions) {
        if (topUpId !== null) this.#topUps.set(topUpId, key);
        if (purchaseId === null) continue;
        this.#buyers.set(purchaseId, key);
        if (!this.sales.has(purchaseId)) purchases.add(purchaseId);
      }
      if (!page.hasMore) return;
    }
  }

  async #readSale(id: string, active: ReadonlySet<string>): Promise<JudgedSale | null> {
    const { journal, ask } = this.#sources;
    const known = journal.buyers.get(id) ?? this.#buyers.get(id);
    for (const key of known === undefined ? active : [known]) {
      const read = (await ask(`/marketplace/purchases/${id}?content=omit`, key)) as PublishedPurchase;
      if (read.id !== id) continue;
      const feeCents = this.feeCents(read.feeScheduleVersion, read.amountCents);
      const sale = { ...read, feeCents, buyerKey: key };
      this.#buyers.set(id, key);
      this.sales.set(id, sale);
      return sale;
    }
    return null;
  }

  #judge(sale: JudgedSale, read: ReadProcessorLog): string[] {
    return judgeSale(sale, this.#moneyOf(sale, read), {
      feeCents: sale.feeCents,
      clawbackCents: sale.rail === 'wallet' ? this.#fundsOf(sale.buyerKey, read).lostCents : 0,
      wasShown: this.#sources.journal.shown.has(sale.id),
      ...this.#claimsOn(sale.sellerId, read),
      isPaidOnChain: this.#sources.onChain?.paysFor(sale) ?? false,
    });
  }

  #claimsOn(sellerId: string, read: ReadProcessorLog) {
    const known = this.#claims.get(sellerId);
    if (known) return known;
    const claims = { claimedCents: 0, givenBackCents: 0 };
    for (const sale of this.sales.values()) {
      if (sale.sellerId !== sellerId || sale.status !== 'released') continue;
      const { lostAfterPayoutCents, takenBackCents, wonAfterPayoutCents, withdrawnBeforePayoutCents } =
        read.of(sale.id);
      // Of what was paid on chain the processor does not know when.
      const isOnChain = this.#sources.onChain?.paysFor(sale) === true;
      claims.claimedCents += isOnChain ? withdrawnBeforePayoutCents : lostAfterPayoutCents - takenBackCents;
      claims.givenBackCents += wonAfterPayoutCents;
      if (sale.rail !== 'wallet') continue;
      // What banks gave back of the wallet's top-ups was this sale's, though it was paid out with less; until they take it anew.
      const wonCents = Math.min(
        this.#fundsOf(sale.buyerKey, read).wonCents,
        sale.amountCents - sale.feeCents,
      );
      claims.claimedCents += wonCents;
      claims.givenBackCents += wonCents;
    }
    this.#claims.set(sellerId, claims);
    return claims;
  }

  /** Of all that a seller is owed no more is withheld than banks took of it after its payouts. */
  #judgeWithheld(sellerId: string, read: ReadProcessorLog): string[] {
    const { claimedCents } = this.#claimsOn(sellerId, read);
    let lackingCents = 0;
    for (const sale of this.sales.values()) {
      if (sale.sellerId !== sellerId || sale.status !== 'released' || this.#lacking.has(sale.id)) continue;
      if (this.#sources.onChain?.paysFor(sale)) continue;
      const sent = this.#moneyOf(sale, read).payouts.reduce((sum, cents) => sum + cents, 0);
      lackingCents += sale.amountCents - sale.feeCents - sent;
    }
    if (lackingCents <= claimedCents) return [];
    return [
      `seller ${sellerId} lacks ${lackingCents}, and banks took ${claimedCents} of what it was paid for`,
    ];
  }

  #moneyOf(sale: JudgedSale, read: ReadProcessorLog): MoneySeen {
    return this.#sources.elsewhere.reduce((sum, look) => addMoney(sum, look(sale)), read.of(sale.id));
  }

  /** Whether banks took something of what a sale was paid with, by card or through its buyer's wallet. */
  mayLack(id: string): boolean {
    return this.#lacking.has(id) || this.#bearing.has(id);
  }

  #findLacking(read: ReadProcessorLog, { payments, entries }: ProcessorLog): void {
    const moved = new Set(entries.flatMap(({ kind, paymentId }) => (kind === 'payment' ? [] : paymentId)));
    const lacking = payments.flatMap(({ paymentId, reference }) =>
      moved.has(paymentId) ? (reference?.id ?? []) : [],
    );
    const losers = new Set(
      [...new Set(this.#topUps.values())].filter((key) => this.#fundsOf(key, read).lostCents > 0),
    );
    const ofWallets = [...this.sales.values()].filter(
      ({ rail, buyerKey }) => rail === 'wallet' && losers.has(buyerKey),
    );
    this.#lacking = new Set([...lacking, ...ofWallets.map(({ id }) => id)]);
    // What a seller bears of one sale is withheld of others: of all that a payout on chain is for, or of a whole one.
    const bearers = new Set(lacking.flatMap((id) => this.sales.get(id)?.sellerId ?? []));
    const bearing = [...this.sales.values()].filter(
      (sale) =>
        bearers.has(sale.sellerId) &&
        (this.#sources.onChain?.paysFor(sale) || this.#moneyOf(sale, read).payouts.length === 0),
    );
    this.#bearing = new Set(bearing.map(({ id }) => id));
  }

  /** What cards paid for an agent's credits, what of it went back or was taken, and what of that came back. */
  #fundsOf(key: string, read: ReadProcessorLog): { paidCents: number; lostCents: number; wonCents: number } {
    const own = [...this.#topUps].filter(([, owner]) => owner === key).map(([id]) => read.of(id));
    return {
      paidCents: own.reduce((sum, { chargedCents }) => sum + chargedCents, 0),
      lostCents: own.reduce((sum, one) => sum + one.refundedCents + one.withdrawnCents, 0),
      wonCents: own.reduce((sum, one) => sum + one.wonCents, 0),
    };
  }

  async #judgeWallet(key: string, read: ReadProcessorLog): Promise<string[]> {
    const answer = (await this.#sources.ask('/wallet/balance', key)) as Partial<PublishedWallet>;
    // Who left has nothing: all went back to the cards.
    const wallet = { balanceCents: 0, refundCreditCents: 0, reservedCents: 0, ...answer };
    const { paidCents, lostCents } = this.#fundsOf(key, read);
    const spentCents = [...this.sales.values()]
      .filter(({ buyerKey, rail, status }) => buyerKey === key && rail === 'wallet' && STANDING.has(status))
      .reduce((sum, { amountCents }) => sum + amountCents, 0);
    const has = wallet.balanceCents + wallet.refundCreditCents + wallet.reservedCents;
    const most = paidCents - spentCents;
    // What banks took of top-ups is the wallet's, the sales' that it paid for, or the platform's loss.
    const least = Math.max(0, most - lostCents);
    if (has >= least && has <= most) return [];
    return [`a wallet has ${has} and should have ${least === most ? most : `${least} to ${most}`}`];
  }

  /** What was released is what the seller was sent, whatever banks took of it before. */
  async #judgeEarnings(sellerId: string, read: ReadProcessorLog): Promise<string[]> {
    const key = this.#sources.journal.keys.get(sellerId);
    if (key === undefined) return [];
    const { availableCents, grossCents, pendingCents, platformFeeCents } = (await this.#sources.ask(
      '/sell/earnings?limit=1',
      key,
    )) as PublishedEarnings;
    const expected = { availableCents: 0, grossCents: 0, pendingCents: 0, platformFeeCents: 0 };
    let mayLack = false;
    for (const sale of this.sales.values()) {
      if (sale.sellerId !== sellerId || !STANDING.has(sale.status)) continue;
      const netCents = sale.amountCents - sale.feeCents;
      const money = this.#moneyOf(sale, read);
      const sentCents = money.payouts.reduce((sum, cents) => sum + cents, 0);
      const isReleased = sale.status === 'released';
      if (isReleased && this.#sources.onChain?.paysFor(sale)) {
        mayLack ||= this.mayLack(sale.id);
        expected.grossCents += sale.amountCents;
        expected.platformFeeCents += sale.feeCents;
        continue;
      }
      mayLack ||= isReleased ? sentCents < netCents : money.withdrawnCents + money.refundedCents > 0;
      mayLack ||= sale.rail === 'wallet' && this.#fundsOf(sale.buyerKey, read).lostCents > 0;
      expected.grossCents += sale.amountCents;
      expected.platformFeeCents += sale.feeCents;
      expected[isReleased ? 'availableCents' : 'pendingCents'] += isReleased ? sentCents : netCents;
    }
    expected.availableCents += this.#sources.onChain?.receivedCents(sellerId) ?? 0;
    const published = { availableCents, grossCents, pendingCents, platformFeeCents };
    // What banks took of what is still in escrow the seller and the fee have no more.
    if (mayLack) {
      expected.pendingCents = Math.min(expected.pendingCents, pendingCents);
      expected.platformFeeCents = Math.min(expected.platformFeeCents, platformFeeCents);
    }
    const differs = JSON.stringify(published) !== JSON.stringify(expected);
    return differs ? [`seller ${sellerId}: ${JSON.stringify({ published, expected })}`] : [];
  }
}

/** Nobody was sold anything for it, and no wallet has it. */
function expectGivenBack(id: string, { chargedCents, refundedCents, withdrawnCents }: MoneySeen): string[] {
  const left = chargedCents - refundedCents - withdrawnCents;
  return left > 0 ? [`${left} were paid for ${id}, which nobody has`] : [];
}
