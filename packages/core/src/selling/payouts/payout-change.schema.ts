import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import * as z from 'zod';
import { withChecksum } from '../../kernel/address.ts';
import type { EpochMs } from '../../kernel/time.ts';
import { cancelMessage, type PayoutChange, stateOfChange } from '../../payouts/index.ts';

const time = z.iso.datetime();

export const cancelToken = z
  .string()
  .max(200)
  .optional()
  .describe('Of the link in the mail that told the seller of the change.');

/** A change of where a seller is paid. */
export const payoutChange = z
  .object({
    address: z.string().nullable().describe('The new wallet; null for an account at the card processor.'),
    cancelUrl: z.url().describe('POST there with your key to go on being paid as before.'),
    effectiveAt: time.describe('What falls due from then on is paid to the new destination.'),
    id: z.uuid(),
    kind: z.enum(['account', 'wallet']),
    message: z
      .string()
      .nullable()
      .describe(
        'For the wallet that is paid until then: its signature of this text cancels the change, too.',
      ),
    requestedAt: time,
    requestedBy: z.enum(['claim_link', 'key']),
    state: z.enum(['cancelled', 'effective', 'pending']),
  })
  .meta({ id: 'PayoutChange' });

export function viewPayoutChange(
  change: PayoutChange,
  { baseUrl, now }: { readonly baseUrl: string; readonly now: EpochMs },
): z.output<typeof payoutChange> {
  const { destination, effectiveAt, id, kind, requestedAt, requestedBy } = change;
  return {
    address: kind === 'wallet' ? withChecksum(destination as Hex) : null,
    cancelUrl: `${baseUrl}/sell/payouts/changes/${id}/cancel`,
    effectiveAt,
    id,
    kind,
    message: messageOf(change, baseUrl),
    requestedAt,
    requestedBy,
    state: stateOfChange(change, now),
  };
}

/** Null where no wallet was paid before. */
export function messageOf(change: PayoutChange, baseUrl: string): string | null {
  const { previous, previousChainId } = change;
  if (previous === null || previousChainId === null) return null;
  return cancelMessage(baseUrl, { ...change, previous: previous as Hex, previousChainId });
}
