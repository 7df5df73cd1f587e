import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { closeQuietInquiries as closeRows } from './inquiries.store.ts';

const AT_ONCE = 1000;

/** Writes down what readers are told already: threads in which nobody wrote for long are closed. */
export async function closeQuietInquiries({ market, clock }: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  await closeRows(market, isoTime(clock.now()), AT_ONCE);
}
