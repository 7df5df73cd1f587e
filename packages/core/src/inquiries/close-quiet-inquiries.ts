import type { Ports } from '../kernel/ports/ports.ts';
import { isoTime } from '../kernel/time.ts';
import { closeExpiredThreads } from './inquiries.store.ts';

const AT_ONCE = 1000;

/** Closes threads in which nobody wrote for long. Readers see them as closed from their last moment on. */
export async function closeQuietInquiries({ market, clock }: Pick<Ports, 'market' | 'clock'>): Promise<void> {
  await closeExpiredThreads(market, isoTime(clock.now()), AT_ONCE);
}
