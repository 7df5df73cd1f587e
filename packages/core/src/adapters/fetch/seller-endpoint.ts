import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { signPost } from '@agent-marketplace/protocol/sign-post.ts';
import type { Clock } from '../../kernel/ports/clock.ts';
import type { EndpointRequest, Relay, SellerEndpoint } from '../../kernel/ports/seller-endpoint.ts';
import { isoTime } from '../../kernel/time.ts';
import { disposeRpcResult } from '../system/dispose-rpc-result.ts';

export interface SellerEndpointOptions {
  readonly signer: Pick<Signer, 'signBytes'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly relay: Relay;
  /** Local development only. */
  readonly allowLoopbackHttp: boolean;
}

/** Of every request to a host that a stranger named. */
export const USER_AGENT = `${BRAND.platform.replaceAll(' ', '')}/${BRAND.apiVersion}`;

/** Signs POSTs here, where the key is, and hands them to the relay. */
export function createSellerEndpoint({
  signer,
  clock,
  relay,
  allowLoopbackHttp,
}: SellerEndpointOptions): SellerEndpoint {
  /** Strictly increasing: receivers reject a signature that they have seen before as a replay. */
  let lastTimestampMs = 0;
  function nextTimestamp(): string {
    lastTimestampMs = Math.max(clock.now(), lastTimestampMs + 1);
    return isoTime(lastTimestampMs);
  }

  async function signedHeaders(request: EndpointRequest): Promise<Record<string, string>> {
    const { url: callbackUrl, body, purpose } = request;
    const signed = await signPost(signer, { callbackUrl, body, timestamp: nextTimestamp() }, purpose);
    const headers = new Headers({ accept: 'application/json', ...request.headers });
    headers.set('content-type', 'application/json');
    headers.set('user-agent', USER_AGENT);
    for (const [name, value] of Object.entries(signed)) headers.set(name, value);
    return Object.fromEntries(headers);
  }

  return {
    async post(request) {
      const headers = await signedHeaders(request).catch(() => null);
      if (headers === null) return { kind: 'unreachable' };
      try {
        return disposeRpcResult(await relay.post({ ...request, headers, allowLoopbackHttp }));
      } catch {
        // The relay ended, as under a reply that is too much for it: no failure of this endpoint is known.
        return { kind: 'relay_busy' };
      }
    },
  };
}
