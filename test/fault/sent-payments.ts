import type { TransferAuthorization } from '@agent-marketplace/core/kernel/ports/chain.ts';
import { decodeHeader, type PaymentHeaders } from '@agent-marketplace/core/testing/query-marketplace.ts';

/** What somebody signed in a payment of version 2, to do with it as they like. */
export function transferOf(headers: PaymentHeaders): TransferAuthorization {
  const { payload } = decodeHeader({ headers: new Headers(headers) }, Object.keys(headers)[0] ?? '');
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
  return {
    from,
    to,
    units: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
  };
}
