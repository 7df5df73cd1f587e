import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import { fromBase64, toBase64, toBase64Url, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { PrivateKeyAccount } from 'viem/accounts';
import { expect } from 'vitest';
import type { TransferAuthorization } from '../../kernel/ports/chain.ts';
import type { Ports } from '../../kernel/ports/ports.ts';
import { x402Operations } from '../../operations/x402.ts';
import { nonceOf } from '../../x402/mpp/mpp-challenge.ts';
import type { MppChallenge } from '../../x402/mpp/mpp-wire.ts';
import { FakeChain } from '../payments/fake-chain.ts';
import { FakePaymentClaims } from '../payments/fake-payment-claims.ts';
import { newAccount, newNonce, signTransfer } from '../suites/chain.harness.ts';
import { readSigned } from './read-signed.ts';
import { createSalesMarketplace } from './sales-marketplace.ts';

export interface QueryAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
  readonly body: any;
  readonly text: string;
}

/** What is signed and sent instead of what a good client would. */
export interface Forgery {
  readonly transfer?: Partial<TransferAuthorization>;
  /** Signs in place of the payer. */
  readonly signer?: PrivateKeyAccount;
  readonly accepted?: object;
  readonly envelope?: object;
  /** Of MPP. */
  readonly challenge?: Partial<MppChallenge>;
  readonly extensions?: object;
  /** The query that the payment is for, as it follows the path, or in a body. */
  readonly parameters?: string | JsonObject;
}

export type PaymentHeaders = Readonly<Record<string, string>>;
export type PaymentProtocol = 1 | 2 | 'mpp';

/** A marketplace that is paid over x402, with the chain and the claims in the test's hand. */
export function createQueryMarketplace(more: Partial<Ports> = {}) {
  const claims = new FakePaymentClaims();
  const chain = new FakeChain({ clock: { now: () => sales.market.clock.now() } });
  const overrides = { chain, paymentClaims: claims, ...more };
  const sales: ReturnType<typeof createSalesMarketplace> = createSalesMarketplace(
    {},
    {
      overrides,
      operations: x402Operations,
    },
  );
  const { market } = sales;

  async function send(
    method: string,
    path: string,
    sent: { headers: PaymentHeaders; body?: object },
  ): Promise<QueryAnswer> {
    const response = await market.request(method, path, sent);
    const { body, text } = await readSigned(response);
    return { status: response.status, headers: response.headers, body, text };
  }
  const get = (path: string, headers: PaymentHeaders = {}) => send('GET', path, { headers });
  /** By GET with what follows the path, or by POST with a query in the body. */
  const query = (listingId: string, headers: PaymentHeaders = {}, asked: string | JsonObject = '') => {
    const path = `/x402/listings/${listingId}/query`;
    return typeof asked === 'string'
      ? get(`${path}${asked}`, headers)
      : send('POST', path, { headers, body: { query: asked } });
  };

  /** Somebody with USDC. */
  function newPayer(units = 1_000_000_000n): PrivateKeyAccount {
    const account = newAccount();
    chain.fund(account.address, units);
    return account;
  }

  /** As a client does that was told the terms. */
  async function authorize(payer: PrivateKeyAccount, terms: QueryAnswer, forged: Forgery = {}) {
    const [asked] = terms.body.accepts;
    const seconds = Math.floor(market.clock.now() / 1000);
    const authorization: TransferAuthorization = {
      from: payer.address.toLowerCase() as Hex,
      to: asked.payTo,
      units: BigInt(asked.maxAmountRequired),
      validAfter: BigInt(seconds - 600),
      validBefore: BigInt(seconds + asked.maxTimeoutSeconds),
      nonce: newNonce(),
      ...forged.transfer,
    };
    return signTransfer(forged.signer ?? payer, chain.token, authorization);
  }

  /** As a client of MPP answers the challenge of a 402. */
  async function credentialOf(payer: PrivateKeyAccount, terms: QueryAnswer, forged: Forgery) {
    const given = Object.fromEntries(
      [...(terms.headers.get('www-authenticate') ?? '').matchAll(/(\w+)="([^"]*)"/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    );
    const challenge = { ...given, ...forged.challenge } as MppChallenge;
    const { authorization, signature } = await authorize(payer, terms, {
      ...forged,
      transfer: {
        nonce: nonceOf(challenge),
        validAfter: 0n,
        validBefore: BigInt(Math.floor(Date.parse(challenge.expires) / 1000)),
        ...forged.transfer,
      },
    });
    const { units, ...rest } = authorization;
    const sent = {
      challenge,
      payload: {
        type: 'authorization',
        ...Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)])),
        value: String(units),
        signature,
      },
      source: `did:pkh:eip155:${chain.token.chainId}:${payer.address}`,
      ...forged.envelope,
    };
    return `Payment ${toBase64Url(utf8(JSON.stringify(sent)))}`;
  }

  /** The header of a payment for what the listing asks now. */
  async function pay(
    payer: PrivateKeyAccount,
    listingId: string,
    version: PaymentProtocol,
    forged: Forgery = {},
  ): Promise<PaymentHeaders> {
    return answerTerms(payer, await query(listingId, {}, forged.parameters), version, forged);
  }

  /** The header of a payment for what a 402 asks. */
  async function answerTerms(
    payer: PrivateKeyAccount,
    terms: QueryAnswer,
    version: PaymentProtocol,
    forged: Forgery = {},
  ): Promise<PaymentHeaders> {
    expect(terms.status, terms.text).toBe(402);
    if (version === 'mpp') return { authorization: await credentialOf(payer, terms, forged) };
    const { signature, authorization } = await authorize(payer, terms, forged);
    const payload = {
      signature,
      authorization: {
        from: authorization.from,
        to: authorization.to,
        value: String(authorization.units),
        validAfter: String(authorization.validAfter),
        validBefore: String(authorization.validBefore),
        nonce: authorization.nonce,
      },
    };
    if (version === 1) {
      const { scheme, network } = terms.body.accepts[0];
      return { 'X-PAYMENT': base64Json({ x402Version: 1, scheme, network, payload, ...forged.envelope }) };
    }
    const required = decodeHeader(terms, 'PAYMENT-REQUIRED');
    const sent = {
      x402Version: 2,
      resource: required.resource,
      accepted: { ...required.accepts[0], ...forged.accepted },
      payload,
      extensions: { ...required.extensions, ...forged.extensions },
      ...forged.envelope,
    };
    return { 'PAYMENT-SIGNATURE': base64Json(sent) };
  }

  return {
    sales,
    market,
    chain,
    claims,
    send,
    get,
    query,
    newPayer,
    pay,
    answerTerms,

    /** Counts the work of requests from here on. */
    forgetWork(): void {
      market.market.reset();
      chain.calls.length = 0;
      claims.calls = 0;
    },

    /** What was asked of the database, of the chain and of the claims. */
    work(): object {
      const statements = market.market.roundTrips.map(({ length }) => length);
      return { statements, chain: chain.calls.map(({ method }) => method), claims: claims.calls };
    },

    /** Everything works again. */
    async heal(): Promise<void> {
      await market.background.settled();
      market.market.fault = () => undefined;
      chain.fault = () => undefined;
      claims.fault = () => undefined;
      chain.startMining();
    },

    /** What the platform was paid on chain, in cents, and what the ledger says it was. */
    async money(listingId: string) {
      const rows = await sales.rows<{ cents: number }>(
        `SELECT captured_cents AS cents FROM payments JOIN purchases ON id = purchase_id WHERE listing_id = ?`,
        listingId,
      );
      return {
        received: Number(chain.balanceOf(chain.payTo) / 10_000n),
        captured: rows.reduce((sum, { cents }) => sum + cents, 0),
      };
    },
  };
}

export type QueryMarketplace = ReturnType<typeof createQueryMarketplace>;

export function base64Json(value: unknown): string {
  return toBase64(utf8(JSON.stringify(value)));
}

/** A header of x402, as it decodes. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into headers of every kind.
export function decodeHeader({ headers }: Pick<QueryAnswer, 'headers'>, name: string): any {
  const bytes = fromBase64(headers.get(name) ?? '');
  if (bytes === null || bytes.length === 0) throw new Error(`There is no ${name}.`);
  return JSON.parse(new TextDecoder().decode(bytes));
}
