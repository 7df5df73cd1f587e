import { type SignedStatement, signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, isoTime } from '../../kernel/time.ts';
import type { Sale } from '../sale.ts';

/** What an answer says that differs from the one that the receipt names. It adds to the receipt, which stays. */
export type Redelivery = SignedStatement<{
  readonly contentDigest: string;
  readonly previousReceiptDigest: string;
  readonly purchaseId: string;
  readonly redeliveredAt: string;
  readonly type: 'purchase_redelivery';
}>;

export function signRedelivery(
  { signer }: Pick<Ports, 'signer'>,
  { id, receipt }: Sale,
  contentDigest: string,
  now: EpochMs,
): Promise<Redelivery> {
  if (receipt === null) throw new Error(`Purchase ${id} has no receipt to add to.`);
  const redeliveredAt = isoTime(now);
  return signStatement(
    signer,
    {
      contentDigest,
      previousReceiptDigest: receipt.digest as string,
      purchaseId: id,
      redeliveredAt,
      type: 'purchase_redelivery' as const,
    },
    redeliveredAt,
  );
}
