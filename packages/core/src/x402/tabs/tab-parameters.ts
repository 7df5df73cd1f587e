import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import { MICROS_PER_CENT } from '../../listings/index.ts';
import type { Tab } from '../../sales/index.ts';

/** What stands in the place of a query where a tab is paid for. */
export function tabParameters(amountCents: number) {
  return { amountCents: String(amountCents) };
}

/** By which its payer names a tab: with the amount as a number, as it was opened, or as text, as a URL would have it. */
export function digestsOfTab({ limitMicros }: Pick<Tab, 'limitMicros'>): Promise<readonly string[]> {
  const amountCents = limitMicros / MICROS_PER_CENT;
  return Promise.all([{ amountCents }, tabParameters(amountCents)].map(canonicalDigest));
}
