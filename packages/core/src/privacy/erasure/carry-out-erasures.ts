import type { Ports } from '../../kernel/ports/ports.ts';
import { HOUR_MS, isoTime } from '../../kernel/time.ts';
import { takeOffMarket } from '../../listings/index.ts';
import { giveUpBalance } from '../../wallet/index.ts';
import { eraseHeldRows } from '../held/held-rows.store.ts';
import { isBlocked, requireNoBlockers } from './blockers.store.ts';
import {
  type Erasure,
  eraseAuditTextsOf,
  finishErasure,
  isErasureChanged,
  postponeErasure,
  readOpenErasures,
} from './erasures.store.ts';

type ErasurePorts = Pick<Ports, 'market' | 'search' | 'signer' | 'clock' | 'ids' | 'log'>;

/** Of one run: the next one goes on. */
const ERASURES_AT_ONCE = 20;

const REASON = 'The seller’s account is to be erased.';

/**
 * Takes the listings of accounts that are to be erased off the market, and erases those whose time has come. Each is one
 * transaction: a crash before it leaves everything, one after it nothing to do.
 */
export async function carryOutErasures(ports: ErasurePorts): Promise<void> {
  for (const erasure of await readOpenErasures(ports.market, ERASURES_AT_ONCE)) {
    try {
      await carryOut(ports, erasure);
    } catch (error) {
      // Cancelled, or carried out by another run, while this one was on it.
      if (!isErasureChanged(error)) throw error;
    }
  }
}

async function carryOut(ports: ErasurePorts, erasure: Erasure): Promise<void> {
  const { market, clock, ids, log } = ports;
  const { agentId, digest } = erasure;
  const isMore = await takeOffMarket(ports, agentId, REASON);
  const at = isoTime(clock.now());
  if (isMore || erasure.dueAt > at) return;
  const balanceStatements = erasure.givesUpBalance
    ? await giveUpBalance(market, agentId, ids.uuid(), at)
    : [];
  const auditTexts = await eraseAuditTextsOf(market, agentId);
  try {
    await market.commit([
      ...finishErasure(erasure, at),
      ...balanceStatements,
      ...requireNoBlockers(agentId),
      ...eraseHeldRows(agentId, digest),
      auditTexts,
    ]);
  } catch (error) {
    if (!isBlocked(error)) throw error;
    log.info('erasure_postponed', { agentId });
    await market.commit([postponeErasure(erasure, isoTime(clock.now() + HOUR_MS))]);
    return;
  }
  log.info('account_erased', { digest });
}
