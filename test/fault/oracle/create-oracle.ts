import { memoryBank } from '@agent-marketplace/core/testing/rails/memory/memory-bank.ts';
import { keepJournal } from './client-journal.ts';
import { Oracle, type PaidOnChain, type Sources } from './oracle.ts';
import type { ProcessorLog } from './processor-log.ts';

/** An oracle that asks this marketplace what it publishes, and reads these logs. */
export function createOracle(
  market: Parameters<typeof keepJournal>[0],
  processor: ProcessorLog,
  elsewhere: Sources['elsewhere'] = [],
  onChain?: PaidOnChain,
): Oracle {
  // What the oracle asks itself is nobody's activity.
  const { request } = market;
  const journal = keepJournal(market);
  return new Oracle({
    journal,
    elsewhere: [({ id, rail }) => (rail === 'memory' ? seenAtBank(id) : {}), ...elsewhere],
    processor: () => processor,
    ...(onChain && { onChain }),
    async ask(path, apiKey) {
      const response = await request('GET', path, apiKey === null ? {} : { apiKey });
      return response.json();
    },
  });
}

function seenAtBank(saleId: string) {
  const { capturedCents, keptCents, isOpen } = memoryBank.look(saleId);
  return { chargedCents: capturedCents, refundedCents: capturedCents - keptCents, isReserved: isOpen };
}
