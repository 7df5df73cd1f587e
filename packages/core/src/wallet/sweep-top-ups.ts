import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { maybeAutoRecharge } from './auto-recharge.ts';
import { findDueRecharges } from './recharge.store.ts';
import { sweepTopUpRefunds } from './refunds/return-balance.ts';
import { settle } from './settle-top-up.ts';
import { claimDueTopUps } from './top-ups.store.ts';
import { NEXT_CHECK_MS } from './wallet.rules.ts';

/** In one run. The next one, a minute later, continues. */
const BATCH = 20;

/**
 * Settles or ends open top-ups and charges what is due: the processor's reports get lost, and processes die between two
 * steps.
 */
export async function sweepTopUps(
  ports: Pick<Ports, 'market' | 'cards' | 'clock' | 'ids' | 'log' | 'subsidies'>,
): Promise<void> {
  const { market, cards, clock, log } = ports;
  if (cards === null) return;
  await sweepTopUpRefunds(ports);
  const now = clock.now();
  const [topUps, agentIds] = await Promise.all([
    claimDueTopUps(market, {
      now: isoTime(now),
      nextCheckAt: isoTime(now + NEXT_CHECK_MS),
      limit: BATCH,
    }),
    findDueRecharges(market, isoTime(now), BATCH),
  ]);
  const settlements = topUps.map((topUp) => settle({ ...ports, cards }, topUp));
  const recharges = agentIds.map((agentId) => maybeAutoRecharge(ports, agentId));
  for (const result of await Promise.allSettled([...settlements, ...recharges])) {
    if (result.status === 'rejected') log.error('wallet_sweep_failed', { message: String(result.reason) });
  }
}
