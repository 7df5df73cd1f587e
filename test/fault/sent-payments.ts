import type { TransferAuthorization } from '@agent-marketplace/core/kernel/ports/chain.ts';
import type { PaymentHeaders } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { fromAnyBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';

/** What somebody signed in a payment of x402 or MPP, to do with it as they like. */
export function transferOf(headers: PaymentHeaders): TransferAuthorization {
  const [header = ''] = Object.values(headers);
  const bytes = fromAnyBase64(header.replace('Payment ', '')) ?? new Uint8Array();
  const { payload } = JSON.parse(new TextDecoder().decode(bytes));
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization ?? payload;
  return {
    from,
    to,
    units: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
  };
}
