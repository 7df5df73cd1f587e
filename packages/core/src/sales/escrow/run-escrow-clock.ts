import { forEachConcurrently } from '../../kernel/for-each-concurrently.ts';
import { isoTime } from '../../kernel/time.ts';
import { listDueSales } from '../sales.store.ts';
import { advanceEscrow } from './advance-escrow.ts';
import { endDisputes } from './disputes/end-disputes.ts';
import type { EscrowPorts } from './escrow-ports.ts';
import { payToWallets } from './gather-payouts.ts';
import { sendPayouts } from './pay-in-usdc.ts';

const BATCH = 100;
/** Sales are worked on together, a few at a time: each is a handful of calls that mostly wait. */
const AT_ONCE = 5;

/**
 * The escrow clock, every minute: disputes that nobody decided in time are decided, sales whose time is over go to their sellers, orders that were not shipped in time
 * back to their buyers, and what was begun and not finished is finished. Clocks may overlap. Returns how many sales
 * were looked at.
 */
export async function runEscrowClock(ports: EscrowPorts): Promise<number> {
  const now = isoTime(ports.clock.now());
  await endDisputes(ports);
  const due = await listDueSales(ports.market, ['held', 'releasing'], now, BATCH);
  const others = await payToWallets(ports, due);
  await forEachConcurrently(others, AT_ONCE, (sale) => advanceEscrow(ports, sale, { by: 'job' }));
  return due.length + (await sendPayouts(ports));
}
