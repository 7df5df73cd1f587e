import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { toBase64, toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { PayingAccount } from './paying-account.ts';
import type { PendingPayment } from './pending-payment.ts';
import type { Terms } from './terms.ts';

/** Starts in the past, since clocks differ. */
const CLOCK_SKEW_SECONDS = 600;

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

const IDENTIFIER = 'payment-identifier';

export function newNonce(): Hex {
  return `0x${toHex(crypto.getRandomValues(new Uint8Array(32)))}`;
}

/** Signs one transfer of USDC (EIP-3009) for these terms. */
export async function signPayment(
  account: PayingAccount,
  terms: Terms,
  purchase: Pick<PendingPayment, 'listingId' | 'query' | 'nonce'>,
  now: number,
): Promise<PendingPayment> {
  const { token, payTo, units, amountCents } = terms;
  const seconds = Math.floor(now / 1000);
  const validBefore = seconds + terms.timeoutSeconds;
  const message = {
    from: account.address,
    to: payTo,
    value: units,
    validAfter: BigInt(seconds - CLOCK_SKEW_SECONDS),
    validBefore: BigInt(validBefore),
    nonce: purchase.nonce,
  };
  const { name, version, chainId, address } = token;
  const signature = await account.signTypedData({
    domain: { name, version, chainId, verifyingContract: address },
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  });
  const authorization = Object.fromEntries(
    Object.entries(message).map(([key, value]) => [key, String(value)]),
  );
  return {
    ...purchase,
    header: headerOf(terms, { signature, authorization }),
    amountCents,
    payer: account.address,
    payTo,
    chainId,
    asset: address,
    validBefore,
  };
}

function headerOf({ v1, v2 }: Terms, payload: JsonObject): PendingPayment['header'] {
  if (v2 === null) {
    const { scheme, network } = v1;
    return { name: 'X-PAYMENT', value: base64Json({ x402Version: 1, scheme, network, payload }) };
  }
  const { resource, accepted, extensions } = v2;
  const sent = { x402Version: 2, resource, accepted, payload, extensions: withPaymentIdentifier(extensions) };
  return { name: 'PAYMENT-SIGNATURE', value: base64Json(sent) };
}

/** Anyone can read the payment on chain and send it here. The id is not on chain, so only the payer gets the data. */
function withPaymentIdentifier(extensions: JsonObject): JsonObject {
  const offered = extensions[IDENTIFIER];
  if (!isJsonObject(offered)) return {};
  const info = isJsonObject(offered.info) ? offered.info : {};
  return { [IDENTIFIER]: { ...offered, info: { ...info, id: crypto.randomUUID() } } };
}

function base64Json(value: object): string {
  return toBase64(utf8(JSON.stringify(value)));
}
