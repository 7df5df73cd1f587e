import { BRAND } from '../../kernel/brand.ts';
import { sha256Hex } from '../../kernel/crypto/digest.ts';
import { utf8 } from '../../kernel/crypto/encoding.ts';
import { deliverySignatureInput } from '../../kernel/delivery-purpose.ts';
import { checkAddress, checkEndpointUrl, type EndpointUrlRefusal } from '../../kernel/endpoint-url.ts';
import type { Clock } from '../../kernel/ports/clock.ts';
import type { EndpointReply, EndpointRequest, SellerEndpoint } from '../../kernel/ports/seller-endpoint.ts';
import type { Signer } from '../../kernel/ports/signer.ts';
import { readCapped } from '../../kernel/read-capped.ts';
import { isoTime } from '../../kernel/time.ts';
import type { HostResolver } from './dns-over-https-resolver.ts';
import { isolateRelaySlots, RelayBusyError, type RelaySlot, type RelaySlots } from './relay-slots.ts';

export interface SellerEndpointOptions {
  readonly fetch: typeof globalThis.fetch;
  readonly signer: Pick<Signer, 'signBytes'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly resolveHost: HostResolver;
  /** Local development only. */
  readonly allowLoopbackHttp: boolean;
  readonly relaySlots?: RelaySlots;
  /** While others wait for its slot, a large reply must send `SLOW_BYTES` in this time. */
  readonly slowMs?: number;
}

const USER_AGENT = `${BRAND.platform.replaceAll(' ', '')}/${BRAND.apiVersion}`;
/** The signed message in one line; `\n` stands for a newline. */
const SIGNATURE_INPUT = `POST\\n<callback URL>\\n<${BRAND.header.timestamp}>\\n<${BRAND.header.bodySha256}>`;
const EMPTY = new Uint8Array();
/**
 * While others wait for its slot, a large reply must arrive at 64 KB a second or more: a fifth of what the
 * largest reply needs to arrive in time.
 */
const SLOW_BYTES = 128 * 1024;
const SLOW_MS = 2000;

/** Signed POSTs over the platform's `fetch`, to public addresses only. */
export function createSellerEndpoint(options: SellerEndpointOptions): SellerEndpoint {
  // Called without a receiver: workerd refuses `options.fetch(...)` as an illegal invocation.
  const { fetch, signer, clock, resolveHost, allowLoopbackHttp, relaySlots = isolateRelaySlots } = options;
  const { slowMs = SLOW_MS } = options;

  /** Null if the URL may be called. The name is resolved for every call, since its addresses can change. */
  async function checkTarget(url: string, signal: AbortSignal): Promise<EndpointReply | null> {
    const target = checkEndpointUrl(url, { allowLoopbackHttp });
    if (!target.ok) return refuseUrl(target.reason);
    if (target.isAddress) return null;
    const addresses = await untilAborted(resolveHost(target.hostname), signal);
    if (!addresses || addresses.length === 0) return { kind: 'unreachable' };
    for (const address of addresses) {
      const check = checkAddress(address);
      if (!check.ok) return refuseUrl(check.reason);
    }
    return null;
  }

  /** Strictly increasing: receivers reject a signature that they have seen before as a replay. */
  let lastTimestampMs = 0;
  function nextTimestamp(): string {
    lastTimestampMs = Math.max(clock.now(), lastTimestampMs + 1);
    return isoTime(lastTimestampMs);
  }

  async function signedHeaders(request: EndpointRequest, body: Uint8Array): Promise<Headers> {
    const timestamp = nextTimestamp();
    const bodySha256 = await sha256Hex(body);
    const { keyId, signature } = await signer.signBytes(
      utf8(`POST\n${request.url}\n${timestamp}\n${bodySha256}`),
    );
    const headers = new Headers({ accept: 'application/json', ...request.headers });
    headers.set('content-type', 'application/json');
    headers.set('user-agent', USER_AGENT);
    headers.set(BRAND.header.keyId, keyId);
    headers.set(BRAND.header.signature, signature);
    headers.set(BRAND.header.signatureAlg, 'ed25519');
    headers.set(BRAND.header.timestamp, timestamp);
    headers.set(BRAND.header.bodySha256, bodySha256);
    headers.set(BRAND.header.signatureInput, SIGNATURE_INPUT);
    const { url: callbackUrl, purpose } = request;
    if (purpose === undefined) return headers;
    const input = deliverySignatureInput({ callbackUrl, timestamp, bodySha256 }, purpose);
    const second = await signer.signBytes(utf8(input));
    headers.set(BRAND.header.sellerId, purpose.sellerId);
    headers.set(BRAND.header.purchaseId, purpose.purchaseId);
    headers.set(BRAND.header.redelivery, String(purpose.redelivery));
    headers.set(BRAND.header.deliverySignature, second.signature);
    return headers;
  }

  async function readReply(
    request: EndpointRequest,
    response: Response,
    signal: AbortSignal,
    abort: () => void,
  ): Promise<EndpointReply> {
    const { status, headers, body: stream } = response;
    if (status >= 300 && status < 400) return discard(stream, { kind: 'redirected', status });
    if (!response.ok) return discard(stream, { kind: 'replied', status, headers, body: EMPTY });
    if (!stream) return { kind: 'replied', status, headers, body: EMPTY };

    // The cap is on decompressed bytes; of a compressed body the declared length says nothing about them.
    const declared = headers.has('content-encoding')
      ? Number.NaN
      : Number(headers.get('content-length') ?? Number.NaN);
    const declaredBytes = Number.isSafeInteger(declared) && declared >= 0 ? declared : null;
    if (declaredBytes !== null && declaredBytes > request.maxBytes)
      return discard(stream, { kind: 'too_large' });

    const { maxBytes, timeoutMs, url } = request;
    let slot: RelaySlot | null = null;
    let timer: ReturnType<typeof setInterval> | undefined;
    let received = 0;
    let receivedBefore = 0;
    const onProgress = (bytes: number) => {
      received = bytes;
    };
    const beforeLarge = async () => {
      const taken = await relaySlots.take(new URL(url).host, timeoutMs, signal);
      slot = taken;
      receivedBefore = received;
      timer = setInterval(() => {
        if (taken.isContended() && received - receivedBefore < SLOW_BYTES) abort();
        receivedBefore = received;
      }, slowMs);
    };
    try {
      const body = await readCapped(stream, { maxBytes, declaredBytes, beforeLarge, onProgress });
      return body ? { kind: 'replied', status, headers, body } : { kind: 'too_large' };
    } catch (error) {
      // After a wait the seller had less time than promised: the failure is ours, not the seller's.
      throw (slot as RelaySlot | null)?.hasWaited ? new RelayBusyError('It came too late to a slot.') : error;
    } finally {
      clearInterval(timer);
      (slot as RelaySlot | null)?.release();
    }
  }

  return {
    async post(request) {
      const signal = AbortSignal.timeout(request.timeoutMs);
      const slowReply = new AbortController();
      try {
        const refusal = await checkTarget(request.url, signal);
        if (refusal) return refusal;
        const body = utf8(request.body);
        const headers = await signedHeaders(request, body);
        const response = await fetch(request.url, {
          method: 'POST',
          headers,
          body,
          redirect: 'manual',
          signal: AbortSignal.any([signal, slowReply.signal]),
        });
        return await readReply(request, response, signal, () => slowReply.abort());
      } catch (error) {
        if (error instanceof RelayBusyError || slowReply.signal.aborted) return { kind: 'relay_busy' };
        return signal.aborted ? { kind: 'timed_out' } : { kind: 'unreachable' };
      }
    },
  };
}

function refuseUrl(reason: EndpointUrlRefusal): EndpointReply {
  return { kind: 'url_refused', reason };
}

/** Cancels the unread body, which closes the connection. A failure to cancel changes nothing. */
function discard(stream: ReadableStream | null, reply: EndpointReply): EndpointReply {
  stream?.cancel().catch(() => {});
  return reply;
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}
