import type { Ports } from '../../kernel/ports/ports.ts';
import { advanceSale } from '../advance-sale.ts';
import { cancelSale } from '../cancel-sale.ts';
import { findUsdcPayment } from '../rails/usdc/usdc-payments.store.ts';
import { requireSale } from '../sales.store.ts';
import { endTab } from './end-tab.ts';
import type { Tab } from './tab.rules.ts';

/**
 * Closes a tab and brings its sale on: recorded for what its queries cost, or paid back if nothing was answered. While a
 * query is out, it is left to a job.
 */
export async function sellClosedTab(ports: Ports, tabId: string): Promise<Tab> {
  const tab = await endTab(ports, tabId);
  const [sale, paid] = await Promise.all([
    requireSale(ports.market, tabId),
    findUsdcPayment(ports.market, tabId),
  ]);
  const settledBy = paid?.settledBy ?? null;
  if (sale.status !== 'authorized' || settledBy === null) return tab;
  // While a query is out, this has a job look at it in a minute.
  if (tab.chargedMicros + tab.reservedMicros > 0) await advanceSale(ports, sale, { by: 'job' });
  else {
    const captured = { kind: 'captured', delivery: null, reference: settledBy, statements: [] } as const;
    await cancelSale(ports, sale, 'refunded', null, { captured });
  }
  return tab;
}
