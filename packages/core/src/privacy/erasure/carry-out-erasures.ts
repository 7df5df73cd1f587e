import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import { takeOffMarket } from '../../listings/index.ts';
import { giveUpBalance, returnBalance } from '../../wallet/index.ts';
import { isBlocked, requireNoBlockers } from './blockers.store.ts';
import { eraseAccount } from './erase-account.ts';
import {
  type Erasure,
  finishErasure,
  isErasureChanged,
  markListed,
  postponeErasure,
  readOpenErasures,
  readUnlisted,
  requireDue,
} from './erasures.store.ts';
import { nextTryAt } from './postponement.rules.ts';

type ErasurePorts = Pick<
  Ports,
  'market' | 'search' | 'cards' | 'erasureList' | 'signer' | 'clock' | 'ids' | 'log'
>;

/** Of one run: the next one goes on. */
const ERASURES_AT_ONCE = 20;
const LISTED_AT_ONCE = 100;

const REASON = 'The seller’s account is to be erased.';

/**
 * Takes the listings of accounts that are to be erased off the market, and erases those whose time has come. Each is one
 * transaction: a crash before it leaves everything, one after it nothing to do.
 */
export async function carryOutErasures(ports: ErasurePorts): Promise<void> {
  const failures: unknown[] = [];
  for (const erasure of await readOpenErasures(ports.market, ERASURES_AT_ONCE)) {
    try {
      await carryOut(ports, erasure);
    } catch (error) {
      // Cancelled, or carried out by another run, while this one was on it.
      if (!isErasureChanged(error)) failures.push(error);
    }
  }
  await listCarriedOut(ports);
  // One that cannot be carried out keeps no other waiting.
  if (failures.length > 0) throw failures[0];
}

/** A backup that is restored has forgotten them: the list outside of the database has not. */
async function listCarriedOut({ market, erasureList, clock }: ErasurePorts): Promise<void> {
  if (erasureList === null) return;
  for (const { agentId, digest } of await readUnlisted(market, LISTED_AT_ONCE)) {
    if ((await erasureList.add(digest)) === 'unavailable') return;
    await market.commit([markListed(agentId, isoTime(clock.now()))]);
  }
}

async function carryOut(ports: ErasurePorts, erasure: Erasure): Promise<void> {
  const { market, clock, ids, log } = ports;
  const { agentId, digest } = erasure;
  const isMore = await takeOffMarket(ports, agentId, REASON);
  const at = isoTime(clock.now());
  if (isMore || erasure.dueAt > at) return;
  // A refund that fails is in the wallet again, which then holds the erasure up.
  if (!(await returnBalance(ports, agentId, [requireDue(erasure, at)]))) return postpone(ports, erasure);
  const { givesUpBalance, givesUpCents } = erasure;
  const balanceStatements = givesUpBalance
    ? await giveUpBalance(market, agentId, givesUpCents, ids.uuid(), at)
    : [];
  try {
    await market.commit([
      ...finishErasure(erasure, at),
      ...balanceStatements,
      ...requireNoBlockers(agentId),
      ...eraseAccount(agentId, digest),
    ]);
  } catch (error) {
    if (!isBlocked(error)) throw error;
    return postpone(ports, erasure);
  }
  log.info('account_erased', { digest });
}

/** Something has to end first: it is tried again, ever later. The list of erasures shows operators what it waits for. */
async function postpone({ market, clock, log }: ErasurePorts, erasure: Erasure): Promise<void> {
  const { agentId, postponements } = erasure;
  log.info('erasure_postponed', { agentId, postponements: postponements + 1 });
  await market.commit([postponeErasure(erasure, nextTryAt(erasure, clock.now()))]);
}
