import { type PaidAnswer, payAndQuery, resumePayment } from '@agent-marketplace/sdk';
import type { Shell } from '../frame/shell.ts';
import { payAndKeep, type StoredPayment, sendKept } from './kept-payment.ts';
import { payingAccount } from './paying-account.ts';
import { untilApproved } from './until-approved.ts';

interface UsdcQuery {
  readonly listingId: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly maxPriceCents: number;
  /** Whether to wait for a person who must approve it. */
  readonly wait: boolean;
}

/** Pays for one query in USDC. */
export async function payInUsdc(
  shell: Shell,
  { listingId, query, maxPriceCents, wait }: UsdcQuery,
): Promise<PaidAnswer> {
  const account = await payingAccount(shell);
  const pays = 'Asking the seller, and paying in USDC for what it delivers.';
  return payAndKeep(shell, {}, pays, (options) =>
    untilApproved(shell, { wait, next: null }, () =>
      payAndQuery(shell.client, listingId, query, account, { ...options, maxPriceCents }),
    ),
  );
}

/** Sends a kept payment for a query again. */
export function resumeUsdc(shell: Shell, path: string, stored: StoredPayment): Promise<PaidAnswer> {
  return sendKept(shell, path, stored, (client, options) => resumePayment(client, stored.payment, options));
}
