import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { TypedMessage } from '../kernel/ports/chain.ts';
import { typedClosing, typedVoucher } from '../sales/index.ts';
import { newNonce, signTransfer } from './chain.harness.ts';
import {
  base64Json,
  type PaymentHeaders,
  type QueryAnswer,
  type QueryMarketplace,
} from './query-marketplace.ts';

/** What clients of tabs do. */
export function tabClientOf({ market, chain, send }: QueryMarketplace) {
  const post = (path: string, body: object, headers: PaymentHeaders = {}): Promise<QueryAnswer> =>
    send('POST', path, { body, headers });
  const sign = (payer: PrivateKeyAccount, message: TypedMessage) => payer.signTypedData(message as never);

  /** The header of a payment for a tab, that is good for `lastsSeconds`, or as long as the terms ask. */
  async function payFor(
    payer: PrivateKeyAccount,
    listingId: string,
    amountCents: number,
    lastsSeconds?: number,
  ): Promise<PaymentHeaders> {
    const terms = await post('/x402/tabs', { listingId, amountCents });
    const [asked] = terms.body.accepts;
    const seconds = Math.floor(market.clock.now() / 1000);
    const { signature, authorization } = await signTransfer(payer, chain.token, {
      from: payer.address.toLowerCase() as Hex,
      to: asked.payTo,
      units: BigInt(asked.maxAmountRequired),
      validAfter: BigInt(seconds - 600),
      validBefore: BigInt(seconds + (lastsSeconds ?? asked.maxTimeoutSeconds)),
      nonce: newNonce(),
    });
    const { units, validAfter, validBefore, ...rest } = authorization;
    const times = { validAfter: String(validAfter), validBefore: String(validBefore) };
    const payload = { signature, authorization: { ...rest, value: String(units), ...times } };
    const { scheme, network } = asked;
    return { 'X-PAYMENT': base64Json({ x402Version: 1, scheme, network, payload }) };
  }

  interface Sums {
    readonly sequence: number;
    readonly ceilingMicros: number;
  }
  /** One query, with its voucher. */
  async function voucherOf(payer: PrivateKeyAccount, tabId: string, sums: Sums, query: JsonObject = {}) {
    const voucher = { ...sums, queryDigest: await canonicalDigest(query) };
    return { ...sums, query, signature: await sign(payer, typedVoucher(chain.token, tabId, voucher)) };
  }
  const closingOf = async (payer: PrivateKeyAccount, tabId: string) => ({
    signature: await sign(payer, typedClosing(chain.token, tabId)),
  });

  return {
    payFor,
    voucherOf,
    closingOf,
    post,
    open: (listingId: string, amountCents: number, headers: PaymentHeaders) =>
      post('/x402/tabs', { listingId, amountCents }, headers),
    ask: async (payer: PrivateKeyAccount, tabId: string, sums: Sums, query?: JsonObject) =>
      post(`/x402/tabs/${tabId}/queries`, await voucherOf(payer, tabId, sums, query)),
    close: async (payer: PrivateKeyAccount, tabId: string) =>
      post(`/x402/tabs/${tabId}/close`, await closingOf(payer, tabId)),
  };
}
