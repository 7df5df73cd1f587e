import type { Ports } from '../../kernel/ports/ports.ts';
import { isoTime } from '../../kernel/time.ts';
import { findClosure, writeClosure } from './closed-rails.store.ts';
import type { X402Offer } from './x402-offer.rules.ts';

/** As the job of the last minute found it: a request asks nobody outside. Null: no chain is configured. */
export async function readX402Offer({
  market,
  chain,
}: Pick<Ports, 'market' | 'chain'>): Promise<X402Offer | null> {
  if (chain === null) return null;
  return { minCents: chain.minCents, closedBy: await findClosure(market) };
}

/**
 * Closes the rail of USDC while no payment could be settled, and opens it again: a signature is not asked for in vain.
 * It stays as it was while nobody can be asked.
 */
export async function watchX402(ports: Pick<Ports, 'market' | 'chain' | 'clock' | 'log'>): Promise<void> {
  const { market, chain, clock, log } = ports;
  const [offer, readiness] = await Promise.all([readX402Offer(ports), chain?.readiness() ?? null]);
  if (offer === null || readiness === null || readiness.closedBy === offer.closedBy) return;
  const { closedBy: reason } = readiness;
  await market.commit(writeClosure(reason, isoTime(clock.now())));
  if (reason === null) log.info('rail_opened', { rail: 'x402' });
  else log.error('rail_closed', { rail: 'x402', reason });
}
