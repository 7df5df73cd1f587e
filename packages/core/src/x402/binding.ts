import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { Ports } from '../kernel/ports/ports.ts';
import { isWalletOfSeller } from '../payouts/index.ts';
import { findUsdcPayments, hasSettledPayment, type UsdcPayment } from '../sales/index.ts';
import type { ReadPayment, SentPayment } from './read-payment.ts';

/**
 * What must be the same when a payment is sent again: the listing, the query as it was sent, the signed
 * authorisation, the payer's own id for it, and the challenge that it was paid with.
 */
export function bindingOf(
  listingId: string,
  parameters: JsonObject,
  { transfer, identifier, challenge }: SentPayment,
): Promise<string> {
  if (transfer === null) throw new Error('A payment of another scheme binds nothing.');
  const { from, to, units, validAfter, validBefore, nonce } = transfer.authorization;
  return canonicalDigest({
    authorization: {
      from,
      nonce,
      to,
      validAfter: String(validAfter),
      validBefore: String(validBefore),
      value: String(units),
    },
    ...(challenge === null ? {} : { challenge }),
    identifier,
    listingId,
    query: parameters,
    signature: transfer.signature,
  });
}

/** Whether whoever pays is the listing's seller, by its wallet. */
export async function isPaidBySeller(
  { market, clock }: Pick<Ports, 'market' | 'clock'>,
  listingId: string,
  read: ReadPayment,
): Promise<boolean> {
  if (read.kind !== 'read' || read.payment.transfer === null) return false;
  const { from: address } = read.payment.transfer.authorization;
  return isWalletOfSeller(market, listingId, { address, now: clock.now() });
}

/** Whether whoever pays has paid before. */
export async function isPaidByKnown({ market }: Pick<Ports, 'market'>, read: ReadPayment): Promise<boolean> {
  if (read.kind !== 'read' || read.payment.transfer === null) return false;
  return hasSettledPayment(market, read.payment.transfer.authorization.from);
}

/** What is recorded of the payment that a request carries. */
export async function findRecorded(
  { market }: Pick<Ports, 'market'>,
  read: ReadPayment,
): Promise<readonly UsdcPayment[]> {
  if (read.kind !== 'read' || read.payment.transfer === null) return [];
  const { from: payer, nonce } = read.payment.transfer.authorization;
  return findUsdcPayments(market, { payer, nonce, identifier: read.payment.identifier });
}
