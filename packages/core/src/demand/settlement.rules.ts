import type { SignedStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import { DAY_MS, type EpochMs, type IsoTime, isoTime } from '../kernel/time.ts';
import type { PartyClass, Rail, SaleStatus } from './demand.rules.ts';

/** What settled, by pseudonyms. It is signed once for each row, and never replaced: what changes is said by a change. */
export type Settlement = SignedStatement<
  StatementForm & {
    readonly amountCents: number;
    readonly buyer: string;
    readonly createdAt: IsoTime;
    readonly id: string;
    readonly isReferenceListing: boolean;
    /** As rows show it, but that what is `unclassified` says why. */
    readonly party: PartyClass;
    readonly platformFeeCents: number;
    readonly rail: Rail;
    readonly seller: string;
    readonly status: SaleStatus;
    readonly type: 'settlement';
    readonly verticalSlug: string;
  }
>;

/** What a row whose records ended adds to the totals. */
export interface EndedFigures {
  readonly amountCents: number;
  readonly isReferenceListing: boolean;
  readonly party: PartyClass;
  readonly platformFeeCents: number;
  readonly rail: Rail;
  /** The digest of its settlement. */
  readonly settlement: string;
  readonly status: SaleStatus;
}

/** What became of a settlement, in place of all that was said of it before. */
export type SettlementChange = SignedStatement<
  StatementForm & {
    /** Of a row whose records ended: it counts in the totals, and its settlement is not shown any more. */
    readonly figures?: Omit<EndedFigures, 'settlement'>;
    readonly party: PartyClass;
    /** Of a row that left the ledger and is in it again: how often it had left. */
    readonly removals?: number;
    /** The digest of the settlement. */
    readonly settlement: string;
    /** `refunded`, `ended`: the row left the ledger. */
    readonly status: SaleStatus | 'refunded' | 'ended';
    /** The digests of all changes before this one, in order. */
    readonly supersedes: readonly string[];
    readonly type: 'settlement_change';
  }
>;

/** Whether the operator says that all agents of its own and all related ones are designated. */
export type DemandClassification = SignedStatement<
  StatementForm & {
    readonly configured: boolean;
    readonly supersedes: readonly string[];
    readonly type: 'demand_classification';
  }
>;

interface StatementForm {
  readonly logBy: IsoTime;
  readonly salt: string;
}

/** What a row says now that it did not say when it was settled. */
export type RowState = Pick<SettlementChange['statement'], 'party' | 'status'>;

/** What is signed of a row last; null: nothing yet. */
export function signedState(settlement: Settlement | null, change: SettlementChange | null): RowState | null {
  return change?.statement ?? settlement?.statement ?? null;
}

/** The digests that the next change stands in the place of. */
export function supersededBy(
  previous: {
    readonly digest: string;
    readonly statement: { readonly supersedes: readonly string[] };
  } | null,
): readonly string[] {
  return previous === null ? [] : [...previous.statement.supersedes, previous.digest];
}

/** Whether a row is in the ledger. */
const isSettled = ({ status }: Pick<RowState, 'status'>) => status !== 'refunded' && status !== 'ended';

/** How often the row had left the ledger before a change: a row that is deleted and put back must not look as if it always was there. */
export function removalsBefore(previous: SettlementChange | null): number {
  if (previous === null) return 0;
  const { removals = 0 } = previous.statement;
  return removals + (isSettled(previous.statement) ? 0 : 1);
}

/** When the next change of the party alone may be signed: each waits for a day longer than the one before. */
export const nextPartyChangeAt = (partyChanges: number, now: EpochMs): IsoTime =>
  isoTime(now + partyChanges * DAY_MS);
