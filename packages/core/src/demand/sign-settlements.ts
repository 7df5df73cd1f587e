import { signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { type IsoTime, isoTime } from '../kernel/time.ts';
import { logByOf, newSalt } from '../provenance/index.ts';
import {
  type DemandClassification,
  nextPartyChangeAt,
  type RowState,
  removalsBefore,
  type Settlement,
  type SettlementChange,
  signedState,
  supersededBy,
} from './settlement.rules.ts';
import {
  type DueSettlement,
  readClassification,
  readDueSettlements,
  type SignedSettlement,
  saveClassification,
  saveSettlements,
} from './settlements.store.ts';

const AT_ONCE = 400;
/** The next run, a minute later, continues. */
const BATCHES_PER_RUN = 10;
/** Of the keyed hash: nobody can have two agents with one pseudonym made. The label that rows show is its beginning. */
const PSEUDONYM_HEX_DIGITS = 32;

type SigningPorts = Pick<Ports, 'clock' | 'ids' | 'keyedHash' | 'market' | 'signer'>;

/**
 * Signs what the demand ledger says and is not signed yet: each row that came, changed its status or party, or left. Many
 * places change a row, the database's own triggers among them, and none of them can wait for a signature: they note the
 * row in their commit, and this makes up for it within the minute.
 */
export async function signSettlements(ports: SigningPorts): Promise<void> {
  await signClassification(ports);
  for (let batch = 0; batch < BATCHES_PER_RUN; batch += 1) {
    const due = await readDueSettlements(ports.market, isoTime(ports.clock.now()), AT_ONCE);
    if (due.length === 0) return;
    const signed = await Promise.all(due.map((one) => signDue(ports, one)));
    await ports.market.commit([saveSettlements(signed)]);
    if (due.length < AT_ONCE) return;
  }
}

async function signDue(ports: SigningPorts, due: DueSettlement): Promise<SignedSettlement> {
  const { number, revision, signedRevision, partyChanges, partyDueAt, row } = due;
  const unsigned = { number, revision, signedRevision, partyChanges, partyDueAt };
  const nothing = { ...unsigned, settlement: null, change: null, removedAt: null };
  const signed = signedState(due.settlement, due.change);
  if (signed === null && row !== null) return { ...nothing, settlement: await signSettlement(ports, row) };
  const state = stateOf(due, signed);
  if (state === null || (state.status === signed?.status && state.party === signed.party)) return nothing;
  const change = await signChange(ports, due, state);
  const isPartyAlone = state.status === signed?.status;
  return {
    ...nothing,
    change,
    removedAt: due.removal === null ? null : change.signedAt,
    ...(isPartyAlone
      ? {
          partyChanges: partyChanges + 1,
          partyDueAt: nextPartyChangeAt(partyChanges + 1, ports.clock.now()),
        }
      : {}),
  };
}

/** Null: it changed once more since it was read, and is due again. */
function stateOf({ removal, figures, row }: DueSettlement, signed: RowState | null): RowState | null {
  if (row !== null) return { party: row.class, status: row.status };
  const party = figures?.party ?? signed?.party;
  return removal === null || party === undefined ? null : { party, status: removal };
}

async function signSettlement(
  ports: SigningPorts,
  row: NonNullable<DueSettlement['row']>,
): Promise<Settlement> {
  const [seller, buyer] = await Promise.all([
    pseudonymOf(ports, 'seller', row.sellerId),
    row.buyerId === null ? 'anonymous' : pseudonymOf(ports, 'buyer', row.buyerId),
  ]);
  return sign(ports, {
    amountCents: row.amountCents,
    buyer,
    createdAt: row.createdAt as IsoTime,
    id: row.purchaseId,
    isReferenceListing: row.isReference,
    party: row.class,
    platformFeeCents: row.platformFeeCents,
    rail: row.rail,
    seller,
    status: row.status,
    type: 'settlement' as const,
    verticalSlug: row.verticalSlug,
  });
}

function signChange(
  ports: SigningPorts,
  { settlement, figures, change }: DueSettlement,
  { party, status }: RowState,
): Promise<SettlementChange> {
  const { settlement: digest = settlement?.digest ?? '', ...sums } = figures ?? {};
  const removals = removalsBefore(change);
  return sign(ports, {
    ...(figures === null ? {} : { figures: sums as NonNullable<SettlementChange['statement']['figures']> }),
    party,
    ...(removals > 0 ? { removals } : {}),
    settlement: digest,
    status,
    supersedes: supersededBy(change),
    type: 'settlement_change' as const,
  });
}

/** One statement for all rows: a change of it changes the party of many at once. */
async function signClassification(ports: SigningPorts): Promise<void> {
  const { configuredAt, statement: before } = await readClassification(ports.market);
  const configured = configuredAt !== null;
  if (configured === (before?.statement.configured ?? false)) return;
  const statement: DemandClassification = await sign(ports, {
    configured,
    supersedes: supersededBy(before),
    type: 'demand_classification' as const,
  });
  await ports.market.commit([saveClassification(statement, before?.digest ?? null)]);
}

function sign<S extends { readonly type: string }>(ports: SigningPorts, statement: S) {
  const now = isoTime(ports.clock.now());
  return signStatement(ports.signer, { ...statement, logBy: logByOf(ports), salt: newSalt(ports) }, now);
}

async function pseudonymOf({ keyedHash }: SigningPorts, role: 'seller' | 'buyer', agentId: string) {
  return `${role}-${(await keyedHash.hex(`${role}_label`, agentId)).slice(0, PSEUDONYM_HEX_DIGITS)}`;
}
