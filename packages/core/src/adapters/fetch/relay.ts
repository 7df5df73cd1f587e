import { checkAddress, checkEndpointUrl, type EndpointUrlRefusal } from '../../kernel/endpoint-url.ts';
import type {
  ArrivingDigests,
  HttpReply,
  NoReply,
  SignedRequest,
} from '../../kernel/ports/seller-endpoint.ts';
import { readCapped } from '../../kernel/read-capped.ts';
import { BusyError, type Slot, Slots } from '../system/slots.ts';
import type { HostResolver } from './dns-over-https-resolver.ts';

/** What is sent: a POST where there is a body, and a GET, whose reply is always read, where there is none. */
export type OutboundRequest = Pick<
  SignedRequest,
  'url' | 'headers' | 'timeoutMs' | 'maxBytes' | 'allowLoopbackHttp' | 'reading'
> & { readonly body?: string };

export interface RelayOptions<Reply, Sent extends OutboundRequest = SignedRequest> {
  readonly fetch: typeof globalThis.fetch;
  readonly resolveHost: HostResolver;
  /** Reads a reply while it still has its slot: what is made of it takes memory as well. */
  readonly read: (request: Sent, reply: HttpReply) => Reply | Promise<Reply>;
  /** Hashes data while they arrive. */
  readonly digests?: () => ArrivingDigests;
  readonly calls?: Slots;
  readonly largeReplies?: Slots;
  /** While others wait for its slot, a large reply must send `SLOW_BYTES` in this time. */
  readonly slowMs?: number;
}

const EMPTY = new Uint8Array();
/**
 * While others wait for its slot, a large reply must arrive at 64 KB a second or more: a fifth of what the
 * largest reply needs to arrive in time.
 */
const SLOW_BYTES = 128 * 1024;
const SLOW_MS = 2000;
/**
 * All calls of an isolate share 128 MB: 256 small replies of at most 128 KB, and four large ones of 10 MB, each with what
 * is made of it. One host gets half of either.
 */
const CALLS = new Slots(256, 128);
const LARGE_REPLIES = new Slots(4, 2);

/** Sends requests over the platform's `fetch`, to public addresses only, and has the replies read. Never throws. */
export function createRelay<Reply, Sent extends OutboundRequest = SignedRequest>(
  options: RelayOptions<Reply, Sent>,
) {
  // Called without a receiver: workerd refuses `options.fetch(...)` as an illegal invocation.
  const {
    fetch,
    resolveHost,
    read,
    digests,
    calls = CALLS,
    largeReplies = LARGE_REPLIES,
    slowMs = SLOW_MS,
  } = options;

  /** Null if the host may be called. It is resolved for every call, since its addresses can change. */
  async function checkHost(hostname: string, signal: AbortSignal): Promise<NoReply | null> {
    const addresses = await untilAborted(resolveHost(hostname), signal);
    if (!addresses || addresses.length === 0) return { kind: 'unreachable' };
    for (const address of addresses) {
      const check = checkAddress(address);
      if (!check.ok) return refuseUrl(check.reason);
    }
    return null;
  }

  async function readReply(
    request: Sent,
    response: Response,
    signal: AbortSignal,
    abort: () => void,
  ): Promise<Reply | NoReply> {
    const { status, headers, body: stream } = response;
    if (status >= 300 && status < 400) return discard(stream, { kind: 'redirected', status });
    const { maxBytes, timeoutMs, url, reading } = request;
    const arriving = reading?.data && reading.envelope.kind === 'none' ? digests?.() : undefined;
    const withBody = (body: Uint8Array) =>
      read(request, { kind: 'replied', status, headers, body, ...(arriving && { digests: arriving }) });
    const isRead = reading !== undefined || request.body === undefined;
    if (!stream || status !== 200 || !isRead) return discard(stream, withBody(EMPTY));

    // The cap is on decompressed bytes; of a compressed body the declared length says nothing about them.
    const declared = headers.has('content-encoding')
      ? Number.NaN
      : Number(headers.get('content-length') ?? Number.NaN);
    const declaredBytes = Number.isSafeInteger(declared) && declared >= 0 ? declared : null;
    if (declaredBytes !== null && declaredBytes > maxBytes) return discard(stream, { kind: 'too_large' });

    let slot: Slot | null = null;
    let timer: ReturnType<typeof setInterval> | undefined;
    let received = 0;
    let receivedBefore = 0;
    const onProgress = (bytes: Uint8Array) => {
      received = bytes.length;
      arriving?.take(bytes);
    };
    const beforeLarge = async () => {
      const taken = await largeReplies.take(new URL(url).host, timeoutMs, signal);
      slot = taken;
      receivedBefore = received;
      timer = setInterval(() => {
        if (taken.isContended() && received - receivedBefore < SLOW_BYTES) abort();
        receivedBefore = received;
      }, slowMs);
    };
    try {
      const body = await readCapped(stream, { maxBytes, declaredBytes, beforeLarge, onProgress });
      return body ? await withBody(body) : { kind: 'too_large' };
    } catch (error) {
      // After a wait the seller had less time than promised: the failure is ours, not the seller's.
      throw (slot as Slot | null)?.hasWaited ? new BusyError('It came too late to a slot.') : error;
    } finally {
      clearInterval(timer);
      (slot as Slot | null)?.release();
    }
  }

  return {
    async send(request: Sent): Promise<Reply | NoReply> {
      const { url, headers, body = null, timeoutMs, allowLoopbackHttp } = request;
      const target = checkEndpointUrl(url, { allowLoopbackHttp });
      if (!target.ok) return refuseUrl(target.reason);
      const call = calls.tryTake(new URL(url).host, timeoutMs);
      if (call === null) return { kind: 'relay_busy' };

      const signal = AbortSignal.timeout(timeoutMs);
      const slowReply = new AbortController();
      try {
        const refusal = target.isAddress ? null : await checkHost(target.hostname, signal);
        if (refusal) return refusal;
        const response = await fetch(url, {
          method: body === null ? 'GET' : 'POST',
          headers,
          body,
          redirect: 'manual',
          signal: AbortSignal.any([signal, slowReply.signal]),
        });
        return await readReply(request, response, signal, () => slowReply.abort());
      } catch (error) {
        if (error instanceof BusyError || slowReply.signal.aborted) return { kind: 'relay_busy' };
        return signal.aborted ? { kind: 'timed_out' } : { kind: 'unreachable' };
      } finally {
        call.release();
      }
    },
  };
}

function refuseUrl(reason: EndpointUrlRefusal): NoReply {
  return { kind: 'url_refused', reason };
}

/** Cancels the unread body, which closes the connection. A failure to cancel changes nothing. */
function discard<T>(stream: ReadableStream | null, reply: T): T {
  stream?.cancel().catch(() => {});
  return reply;
}

function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    promise.then(resolve, reject);
  });
}
