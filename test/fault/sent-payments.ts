import type { TransferAuthorization } from '@agent-marketplace/core/kernel/ports/chain.ts';
import type { PaymentHeaders } from '@agent-marketplace/core/testing/marketplace/query-marketplace.ts';
import { fromAnyBase64 } from '@agent-marketplace/protocol/crypto/encoding.ts';

/** What somebody signed in a payment of x402 or MPP, as the payload of x402: anybody reads it in the transaction that moved it. */
export function payloadOf(headers: PaymentHeaders) {
  const [header = ''] = Object.values(headers);
  const bytes = fromAnyBase64(header.replace('Payment ', '')) ?? new Uint8Array();
  const { payload } = JSON.parse(new TextDecoder().decode(bytes));
  const { from, to, value, validAfter, validBefore, nonce } = payload.authorization ?? payload;
  return {
    signature: String(payload.signature),
    authorization: { from, to, value, validAfter, validBefore, nonce },
  };
}

/** The transfer in it, to do with it as they like. */
export function transferOf(headers: PaymentHeaders): TransferAuthorization {
  const { from, to, value, validAfter, validBefore, nonce } = payloadOf(headers).authorization;
  return {
    from,
    to,
    units: BigInt(value),
    validAfter: BigInt(validAfter),
    validBefore: BigInt(validBefore),
    nonce,
  };
}
