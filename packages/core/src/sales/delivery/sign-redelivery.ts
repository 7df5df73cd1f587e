import { type SignedStatement, signStatement } from '@agent-marketplace/protocol/crypto/sign-statement.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { type EpochMs, type IsoTime, isoTime } from '../../kernel/time.ts';
import { logByOf, newSalt } from '../../provenance/index.ts';
import type { Sale } from '../sale.ts';

/** What an answer says that differs from the one that the receipt names. It adds to the receipt, which stays. */
export type Redelivery = SignedStatement<{
  readonly contentDigest: string;
  /** Left out where nothing was paid: such a statement is stored nowhere, and so is not in the log. */
  readonly logBy?: IsoTime;
  readonly previousReceiptDigest: string;
  readonly purchaseId: string;
  readonly redeliveredAt: string;
  readonly salt?: string;
  readonly type: 'purchase_redelivery';
}>;

export function signRedelivery(
  ports: Pick<Ports, 'clock' | 'ids' | 'signer'>,
  { id, amountCents, receipt }: Sale,
  contentDigest: string,
  now: EpochMs,
): Promise<Redelivery> {
  if (receipt === null) throw new Error(`Purchase ${id} has no receipt to add to.`);
  const redeliveredAt = isoTime(now);
  return signStatement(
    ports.signer,
    {
      contentDigest,
      ...(amountCents > 0 && { logBy: logByOf(ports), salt: newSalt(ports) }),
      previousReceiptDigest: receipt.digest as string,
      purchaseId: id,
      redeliveredAt,
      type: 'purchase_redelivery' as const,
    },
    redeliveredAt,
  );
}
