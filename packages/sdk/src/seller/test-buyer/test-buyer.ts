import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { toBase64Url, toHex, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { deliverySignatureInput } from '@agent-marketplace/protocol/delivery-purpose.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { getPublicKeyAsync, signAsync, utils } from '@noble/ed25519';
import { sha256Hex } from '../../crypto.ts';
import { type KeySet, keySetOf } from '../../keys.ts';
import { failed, type Judgement, judgeChallenge, judgeDelivery, type TestReport } from './test-report.ts';

/** The endpoint itself, `app.fetch` of what it is mounted in, or the URL where it runs. */
export type Endpoint = string | ((request: Request) => Promise<Response> | Response);

export interface TestPurchase {
  /** Default: a random one. Give the same again to be the buyer who lost the answer. */
  readonly purchaseId?: string;
  /** How often it was asked for before. Default 0. */
  readonly redelivery?: number;
  readonly listingId?: string;
  readonly title?: string;
  readonly verticalSlug?: string;
  /** The buyer's query. Default an empty object. */
  readonly query?: JsonObject;
}

/** Asks as the marketplace does, under a key that only this object has. Nothing is sent to the marketplace. */
export interface TestBuyer {
  /** Pass it as `marketplace`: then the endpoint believes this buyer, and nobody else. */
  readonly keys: KeySet;
  /** What the marketplace sends when the URL is registered. */
  challenge(endpoint: Endpoint): Promise<TestReport>;
  /** A purchase that is paid. */
  buy(endpoint: Endpoint, purchase?: TestPurchase): Promise<TestReport>;
}

export interface TestBuyerOptions {
  /** The one that the endpoint was made with: the signatures cover it. */
  readonly callbackUrl: string;
  /** The seller that is asked. Default `test-seller`: give yours if the endpoint has one. */
  readonly sellerId?: string;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Of one request, in milliseconds. Default 30,000, as the marketplace waits. */
  readonly timeoutMs?: number;
}

const KEY_ID = 'test-buyer';
const SIGNATURE_INPUT = `POST\\n<callback URL>\\n<${BRAND.header.timestamp}>\\n<${BRAND.header.bodySha256}>`;

/** A buyer for tests, with a key of its own that is thrown away. */
export async function createTestBuyer(options: TestBuyerOptions): Promise<TestBuyer> {
  const { callbackUrl, sellerId = 'test-seller', now = Date.now, timeoutMs = 30_000 } = options;
  const secret = utils.randomSecretKey();
  const publicKeyRaw = toBase64Url(await getPublicKeyAsync(secret));
  const sign = async (text: string) => toBase64Url(await signAsync(utf8(text), secret));
  /** Strictly increasing, as the marketplace's: the same message twice would be a replay. */
  let lastAt = 0;

  async function headersOf(body: string, purchase: { purchaseId: string; redelivery: number } | null) {
    lastAt = Math.max(now(), lastAt + 1);
    const timestamp = new Date(lastAt).toISOString();
    const bodySha256 = await sha256Hex(body);
    const { header } = BRAND;
    const signed = {
      accept: 'application/json',
      'content-type': 'application/json',
      'user-agent': `${BRAND.platform.replaceAll(' ', '')}/${BRAND.apiVersion}`,
      [header.keyId]: KEY_ID,
      [header.signature]: await sign(`POST\n${callbackUrl}\n${timestamp}\n${bodySha256}`),
      [header.signatureAlg]: 'ed25519',
      [header.signatureInput]: SIGNATURE_INPUT,
      [header.timestamp]: timestamp,
      [header.bodySha256]: bodySha256,
      [header.sellerId]: sellerId,
    };
    if (purchase === null) return signed;
    const input = deliverySignatureInput({ callbackUrl, timestamp, bodySha256 }, { sellerId, ...purchase });
    return {
      ...signed,
      [header.purchaseId]: purchase.purchaseId,
      [header.redelivery]: String(purchase.redelivery),
      [header.deliverySignature]: await sign(input),
    };
  }

  async function ask(
    endpoint: Endpoint,
    message: JsonObject,
    purchase: { purchaseId: string; redelivery: number } | null,
    judge: (status: number, bytes: Uint8Array) => Judgement | Promise<Judgement>,
  ): Promise<TestReport> {
    const body = JSON.stringify(message);
    const headers = await headersOf(body, purchase);
    const url = typeof endpoint === 'string' ? endpoint : callbackUrl;
    const request = { url, headers, body: message };
    const startedAt = performance.now();
    const elapsed = () => Math.round(performance.now() - startedAt);
    try {
      const signal = AbortSignal.timeout(timeoutMs);
      const init = { method: 'POST', headers, body, redirect: 'manual', signal } as const;
      const response = await within(
        timeoutMs,
        typeof endpoint === 'string' ? fetch(endpoint, init) : endpoint(new Request(callbackUrl, init)),
      );
      const bytes = new Uint8Array(await within(timeoutMs, response.arrayBuffer()));
      const { status, headers: replied } = response;
      const answer = {
        status,
        contentType: replied.get('content-type'),
        body: new TextDecoder().decode(bytes),
      };
      return { request, answer, durationMs: elapsed(), ...(await judge(status, bytes)) };
    } catch (error) {
      return { request, answer: null, durationMs: elapsed(), ...failed(noAnswer(error, timeoutMs)) };
    }
  }

  return {
    keys: keySetOf({ keyId: KEY_ID, publicKeyRaw }),
    challenge(endpoint) {
      const nonce = toHex(crypto.getRandomValues(new Uint8Array(24)));
      const issuedAt = new Date(now()).toISOString();
      const instructions = 'Answer with a JSON object whose field "nonce" equals the nonce of this message.';
      const message = { type: 'verification_challenge', nonce, issuedAt, instructions };
      return ask(endpoint, message, null, (status, bytes) =>
        judgeChallenge(status, new TextDecoder().decode(bytes), nonce, sellerId),
      );
    },
    buy(endpoint, purchase = {}) {
      const { purchaseId = crypto.randomUUID(), redelivery = 0, query = {} } = purchase;
      const { listingId = 'test-listing', title = 'Test', verticalSlug = 'test' } = purchase;
      const issuedAt = new Date(now()).toISOString();
      const fingerprint = `sha256:${'0'.repeat(64)}`;
      const message = {
        type: 'delivery_request',
        listingId,
        fingerprint,
        title,
        verticalSlug,
        query,
        issuedAt,
      };
      return ask(endpoint, message, { purchaseId, redelivery }, judgeDelivery);
    },
  };
}

/** An endpoint that is a function heeds no signal. */
async function within<Value>(timeoutMs: number, value: Promise<Value> | Value): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const expired = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DOMException('', 'TimeoutError')), timeoutMs);
  });
  try {
    return await Promise.race([value, expired]);
  } finally {
    clearTimeout(timer);
  }
}

function noAnswer(error: unknown, timeoutMs: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `There was no complete answer within ${timeoutMs / 1000} s.`;
  const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
  return `There was no answer: ${message}${cause instanceof Error && cause.message ? `: ${cause.message}` : ''}.`;
}
