import { microsText } from '@agent-marketplace/protocol/metered-units.ts';
import type { PrepaidTab } from '@agent-marketplace/sdk';
import type { Shell } from '../frame/shell.ts';

/** Prints a tab that is open, and how to ask on it. */
export function reportTab(shell: Shell, { tabId, payment, remainingMicros }: PrepaidTab): void {
  const { listingId, amountCents } = payment;
  shell.print({ tabId, listingId, amountCents, remainingMicros }, tabId);
  shell.note(`Open, with ${microsText(remainingMicros)} left: agent-market tab ask ${tabId} --query '{…}'`);
}
