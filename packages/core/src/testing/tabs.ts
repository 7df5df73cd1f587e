import { canonicalDigest } from '@agent-marketplace/protocol/crypto/digest.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { PrivateKeyAccount } from 'viem/accounts';
import type { TypedMessage } from '../kernel/ports/chain.ts';
import { typedClosing, typedVoucher } from '../sales/index.ts';
import type {
  Forgery,
  PaymentHeaders,
  PaymentProtocol,
  QueryAnswer,
  QueryMarketplace,
} from './query-marketplace.ts';

/** What clients of tabs do. */
export function tabClientOf({ chain, send, answerTerms }: QueryMarketplace) {
  const post = (path: string, body: object, headers: PaymentHeaders = {}): Promise<QueryAnswer> =>
    send('POST', path, { body, headers });
  const sign = (payer: PrivateKeyAccount, message: TypedMessage) => payer.signTypedData(message as never);

  /** The header of a payment for a tab. */
  const payFor = async (
    payer: PrivateKeyAccount,
    listingId: string,
    amountCents: number,
    { protocol = 1, ...forged }: Forgery & { readonly protocol?: PaymentProtocol } = {},
  ): Promise<PaymentHeaders> =>
    answerTerms(payer, await post('/x402/tabs', { listingId, amountCents }), protocol, forged);

  interface Sums {
    readonly sequence: number;
    readonly ceilingMicros: number;
    /** Not signed. */
    readonly maxPriceMicros?: number;
  }
  /** One query, with its voucher. */
  async function voucherOf(payer: PrivateKeyAccount, tabId: string, sums: Sums, query: JsonObject = {}) {
    const { sequence, ceilingMicros } = sums;
    const voucher = { sequence, ceilingMicros, queryDigest: await canonicalDigest(query) };
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
