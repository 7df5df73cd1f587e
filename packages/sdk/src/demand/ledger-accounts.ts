import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { RECONCILIATION_PREFIX } from '@agent-marketplace/protocol/reconciliation-prefix.ts';
import type { GetDemandLedgerOutput } from '../generated/api.ts';
import type { KeySet } from '../keys.ts';
import type { FindingProof } from '../log/finding-proof.ts';
import type { Leaf } from '../log/read-leaves.ts';
import { affiliatedRowFault, demandRowFault, partyOf } from '../verify/demand-row.ts';
import { verifyStatement } from '../verify/statement.ts';
import type { CountedSale, DemandTotals } from './recompute-demand-totals.ts';

/** Longest that a sale takes from the purchase to its settlement, with room. */
const SETTLES_WITHIN_DAYS = 15;
const DAY_MS = 86_400_000;

/**
 * What is wrong with something in the ledger:
 *
 * - `altered`: it is not what was signed of it, or is signed by nobody.
 * - `missing`: the log has a statement of the ledger that nothing in the ledger accounts for: a row was dropped, or replaced.
 * - `shortened`: the log is smaller than the ledger names, or than it was.
 * - `repeated`: two places in the ledger count it.
 * - `stale`: a page is older than you asked for.
 * - `unlogged`: it was to stand in the log by now, and does not.
 * - `unsigned`: it waited before already, or waits for longer than the marketplace may take.
 * - `total`: a total is not the sum of the rows, or the ledger says that it does not agree with the double entries.
 */
export type DemandFault =
  | 'altered'
  | 'missing'
  | 'repeated'
  | 'shortened'
  | 'stale'
  | 'unlogged'
  | 'unsigned'
  | 'total';

export interface DemandFinding {
  readonly fault: DemandFault;
  /** The id of the purchase, the digest of the statement, or the name of the total. */
  readonly subject: string;
  /** One sentence. */
  readonly detail: string;
  readonly proof: FindingProof;
}

type Row = GetDemandLedgerOutput['ledger'][number];
type Removed = GetDemandLedgerOutput['removedRows']['rows'][number];
type Change = Removed['change'];
type Settlement = NonNullable<Removed['settlement']>;
type AffiliatedRow = GetDemandLedgerOutput['affiliatedRail']['ledger'][number];

interface LedgerFacts {
  readonly keys: KeySet;
  readonly leaves: ReadonlyMap<string, Leaf>;
  /** When the oldest page was made: only what was due by then is late on each of them. */
  readonly now: string;
  /** Whether the pages are shown to be all, and of one state. */
  readonly isWhole: boolean;
  /** Whether the log that is shown is as large as all pages name it. */
  readonly hasGrown: boolean;
  readonly waitedBefore: ReadonlySet<string>;
}

/** A row that is in the ledger again after it had left. */
export interface RestoredRow {
  readonly id: string;
  /** How often it had left. */
  readonly removals: number;
  /** When the newest statement that says so was signed: ISO-8601 UTC. */
  readonly signedAt: string;
  /** Where the statements of it stand in the log, from its settlement on. */
  readonly entries: readonly number[];
}

/** The log of before the pages. */
interface TreeBefore {
  readonly size: number;
  /** Whether witnesses say that it was before. */
  readonly isOlder: boolean;
}

/** What the pages of a ledger said so far, and whose each statement is. */
export class LedgerAccounts {
  readonly findings: DemandFinding[] = [];
  readonly waiting = new Set<string>();
  readonly shown: CountedSale[] = [];
  readonly logged: CountedSale[] = [];
  readonly restored: RestoredRow[] = [];
  /** Rows that left the ledger, by why. */
  readonly removed = { refunded: 0, ended: 0 };
  readonly #facts: LedgerFacts;
  /** Whose each statement is, by digest. */
  readonly #accounted = new Map<string, string>();
  readonly #rows = new Set<string>();
  readonly #affiliated: AffiliatedRow[] = [];
  #hasEnded = false;
  #hasAllKeys = true;
  #unsignedRows = 0;

  constructor(facts: LedgerFacts) {
    this.#facts = facts;
  }

  async readClassification({ armsLengthClassification }: GetDemandLedgerOutput): Promise<boolean> {
    const { configured, statement } = armsLengthClassification;
    const subject = 'armsLengthClassification';
    if (statement === null) {
      if (configured) this.#wait(subject, null);
      return configured;
    }
    if (!(await this.#isSigned(subject, statement, 'demand_classification'))) return configured;
    for (const digest of statement.statement.supersedes) this.#account(digest, subject);
    this.#account(statement.digest, subject);
    this.#requireLogged(subject, statement);
    if (statement.statement.configured !== configured) this.#wait(subject, null);
    return configured;
  }

  async readRow(row: Row, isConfigured: boolean): Promise<void> {
    const { id, settlement, change } = row;
    if (this.#rows.has(id)) return this.#find('repeated', id, 'The row is in the ledger twice.', this.#ofAll);
    this.#rows.add(id);
    const whose = { seller: row.seller, buyer: row.buyer, createdAt: row.createdAt };
    if (settlement === null) {
      this.#unsignedRows += 1;
      this.shown.push({ ...row, whose });
      this.#wait(id, Date.parse(row.createdAt) + SETTLES_WITHIN_DAYS * DAY_MS);
      if (change !== null || row.statementDigest !== null)
        this.#find('altered', id, 'The row names a statement that it does not show.');
      return;
    }
    const { seller, buyer } = settlement.statement;
    this.shown.push({ ...row, whose: { ...whose, seller, buyer } });
    if (!(await this.#readStatements(id, settlement, change))) return;
    const fault = demandRowFault(row, settlement);
    if (fault !== null) this.#find('altered', id, fault);
    const state = change?.statement ?? settlement.statement;
    this.#countLogged(settlement, change, isConfigured);
    this.#noteRestored(id, settlement, change);
    if (state.status !== row.status) this.#wait(id, null);
    else if (partyOf(state.party, isConfigured) !== row.party) {
      // Changes of the party alone wait, each for a day longer than the one before.
      const changes = (change?.statement.supersedes.length ?? 0) + 1;
      const signedAt = Date.parse((change ?? settlement).signedAt);
      this.#wait(id, signedAt + (changes + 1) * DAY_MS, true);
    }
  }

  async readRemoved({ settlement, change }: Removed, isConfigured: boolean): Promise<void> {
    const { statement } = change;
    const subject = settlement?.statement.id ?? statement.settlement;
    // It left between the page of its row and this one: both tell of the same statements.
    if (this.#rows.has(subject)) return;
    if (statement.status !== 'refunded' && statement.status !== 'ended')
      this.#find('altered', subject, 'A removed row says that it is settled.');
    if (!(await this.#readStatements(subject, settlement, change))) return;
    if (statement.status === 'refunded' || statement.status === 'ended') this.removed[statement.status] += 1;
    const { figures } = statement;
    if (figures === undefined) return;
    this.#hasEnded = true;
    const sale = { ...figures, party: partyOf(figures.party, isConfigured), whose: null };
    this.shown.push(sale);
    if (this.#facts.leaves.has(change.digest)) this.logged.push(sale);
  }

  async readAffiliated(row: AffiliatedRow): Promise<void> {
    const { receipt, id } = row;
    this.#affiliated.push(row);
    if (!(await this.#isSigned(id, receipt, 'affiliated_receipt'))) return;
    const fault = affiliatedRowFault(row, receipt);
    if (fault !== null) this.#find('altered', id, fault);
    this.#account(receipt.digest, id);
    this.#requireLogged(id, receipt);
  }

  /**
   * What the log has up to the size that the pages name, or had before them, or was signed a day before the oldest of them,
   * and nothing in the ledger accounts for: a size that is too small would hide what was logged since.
   */
  findMissing(treeSize: number, before: TreeBefore): void {
    const until = new Date(Date.parse(this.#facts.now) - DAY_MS).toISOString();
    for (const { digest, type, index, signedAt } of this.#facts.leaves.values()) {
      if (this.#accounted.has(digest)) continue;
      const wasDue = index < treeSize || signedAt < until;
      if (!wasDue && index >= before.size) continue;
      const proof = wasDue || before.isOlder ? this.#ofAll : 'word';
      const detail = `Entry ${index} of the log, a ${type} of ${signedAt}, is in no row.`;
      this.#find('missing', digest, detail, proof);
    }
  }

  findShorter(size: number, treeSize: number): void {
    const detail = `The log shows ${size} entries, and had ${treeSize}: it was put back, or an older checkpoint of it is shown.`;
    this.#find('shortened', String(size), detail, 'word');
  }

  findStale(oldest: string): void {
    this.#find(
      'stale',
      oldest,
      'A page is older than you asked for: it was true once, and says nothing of now.',
      'word',
    );
  }

  compareTotals(page: GetDemandLedgerOutput, shown: DemandTotals): void {
    const compare = (name: string, said: unknown, recomputed: unknown) => {
      if (isJsonObject(recomputed)) {
        for (const [member, value] of Object.entries(recomputed))
          compare(`${name}.${member}`, isJsonObject(said) ? said[member] : undefined, value);
      } else if (said !== recomputed && !this.#mayDiffer(name, Number(said), Number(recomputed))) {
        const detail = `The ledger says ${String(said)}, and its rows make ${String(recomputed)}.`;
        this.#find('total', name, detail, this.#ofAll);
      }
    };
    if (!page.reconciliation.startsWith(RECONCILIATION_PREFIX))
      this.#find('total', 'reconciliation', page.reconciliation);
    for (const [name, value] of Object.entries(shown)) compare(name, page[name as keyof typeof page], value);
    const paid = this.#affiliated.filter(({ status, mode }) => status === 'paid' && mode === 'live');
    compare('affiliatedRail.count', page.affiliatedRail.count, paid.length);
    const grossCents = paid.reduce((sum, { amountCents }) => sum + amountCents, 0);
    compare('affiliatedRail.grossCents', page.affiliatedRail.grossCents, grossCents);
  }

  /** Accounts are counted by pseudonym: a row that is not signed shows none, and one whose records ended shows it no more. */
  #mayDiffer(name: string, said: number, recomputed: number): boolean {
    if (!/^totals\.distinct(Buyers|Sellers)$/.test(name)) return false;
    return (
      said >= recomputed - this.#unsignedRows && (said <= recomputed + this.#unsignedRows || this.#hasEnded)
    );
  }

  /** Whether both are signed, and of one settlement. Accounts for all digests that they name. */
  async #readStatements(
    subject: string,
    settlement: Settlement | null,
    change: Change | null,
  ): Promise<boolean> {
    if (settlement !== null && !(await this.#isSigned(subject, settlement, 'settlement'))) return false;
    if (change !== null && !(await this.#isSigned(subject, change, 'settlement_change'))) return false;
    const digest = settlement?.digest ?? change?.statement.settlement ?? '';
    if (change !== null && change.statement.settlement !== digest) {
      this.#find('altered', subject, 'The change is of another settlement.');
      return false;
    }
    const superseded = change === null ? [] : change.statement.supersedes;
    const isInLog = change !== null && this.#facts.leaves.has(change.digest);
    for (const one of [...(change === null ? [] : [digest]), ...superseded]) {
      // One whose records ended before anything was signed of it has no settlement.
      if (one === '') continue;
      this.#account(one, subject);
      if (isInLog && !this.#facts.leaves.has(one))
        this.#find('unlogged', subject, `What was signed of it before, ${one}, is not in the log.`);
    }
    const last = change ?? settlement;
    if (last === null) return false;
    this.#account(last.digest, subject);
    this.#requireLogged(subject, last);
    return true;
  }

  #noteRestored(id: string, settlement: Settlement, change: Change | null): void {
    const { removals = 0, supersedes = [] } = change?.statement ?? {};
    if (change === null || removals === 0) return;
    const digests = [settlement.digest, ...supersedes, change.digest];
    const entries = digests.flatMap((digest) => this.#facts.leaves.get(digest)?.index ?? []);
    this.restored.push({ id, removals, signedAt: change.signedAt, entries });
  }

  #countLogged(settlement: Settlement, change: Change | null, isConfigured: boolean): void {
    const { leaves } = this.#facts;
    const last = change !== null && leaves.has(change.digest) ? change : settlement;
    if (!leaves.has(last.digest)) return;
    const { statement } = settlement;
    const party = partyOf(last.statement.party, isConfigured);
    this.logged.push({ ...statement, status: last.statement.status, party, whose: statement });
  }

  async #isSigned(subject: string, signed: unknown, type: string): Promise<boolean> {
    const verified = await verifyStatement(signed, this.#facts.keys, type);
    if (verified.valid) return true;
    // Whoever names too few keys would see forgeries and gaps in any ledger.
    const isOfOtherKey = verified.reason === 'unknown_key';
    if (isOfOtherKey) this.#hasAllKeys = false;
    this.#find('altered', subject, verified.detail, isOfOtherKey ? 'word' : 'signed');
    return false;
  }

  #requireLogged(
    subject: string,
    {
      digest,
      keyId,
      signedAt,
      statement,
    }: {
      readonly digest: string;
      readonly keyId: string;
      readonly signedAt: string;
      readonly statement: object;
    },
  ): void {
    const leaf = this.#facts.leaves.get(digest);
    if (leaf !== undefined) {
      if (leaf.keyId !== keyId || leaf.signedAt !== signedAt)
        this.#find('altered', subject, 'The log has it with another key or time.');
      return;
    }
    const { logBy } = statement as JsonObject;
    this.waiting.add(subject);
    // What has no promise of its own is held to the same day.
    const due = typeof logBy === 'string' ? Date.parse(logBy) : Date.parse(signedAt) + DAY_MS;
    if (!(Date.parse(this.#facts.now) < due))
      this.#find(
        'unlogged',
        subject,
        'It was to stand in the log by now, and does not.',
        // A log of before the pages cannot have it yet.
        this.#facts.hasGrown ? 'signed' : 'word',
      );
  }

  #account(digest: string, subject: string): void {
    const other = this.#accounted.get(digest);
    if (other === undefined) this.#accounted.set(digest, subject);
    else this.#find('repeated', subject, `${digest} is counted with ${other} as well.`, this.#ofAll);
  }

  /** @param until when it must not wait any more; null: nobody can say by one look. */
  #wait(subject: string, until: number | null, mayWaitForDays = false): void {
    this.waiting.add(subject);
    const isOver = until !== null && Date.parse(this.#facts.now) > until;
    if (isOver || (this.#facts.waitedBefore.has(subject) && !mayWaitForDays))
      this.#find(
        'unsigned',
        subject,
        'It says something that was not signed, for too long.',
        isOver ? 'signed' : 'word',
      );
  }

  /** What a part of the pages does not show. */
  get #ofAll(): FindingProof {
    return this.#facts.isWhole && this.#hasAllKeys ? 'signed' : 'incomplete';
  }

  #find(fault: DemandFault, subject: string, detail: string, proof: FindingProof = 'signed'): void {
    this.findings.push({ fault, subject, detail, proof });
  }
}
