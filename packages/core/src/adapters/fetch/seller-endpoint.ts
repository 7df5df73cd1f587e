import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { sha256Hex } from '@agent-marketplace/protocol/crypto/digest.ts';
import { utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import type { Signer } from '@agent-marketplace/protocol/crypto/signer.ts';
import { deliverySignatureInput } from '@agent-marketplace/protocol/delivery-purpose.ts';
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

const USER_AGENT = `${BRAND.platform.replaceAll(' ', '')}/${BRAND.apiVersion}`;
/** The signed message in one line; `\n` stands for a newline. */
const SIGNATURE_INPUT = `POST\\n<callback URL>\\n<${BRAND.header.timestamp}>\\n<${BRAND.header.bodySha256}>`;

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
    const timestamp = nextTimestamp();
    const bodySha256 = await sha256Hex(request.body);
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
    if (purpose === undefined) return Object.fromEntries(headers);
    const input = deliverySignatureInput({ callbackUrl, timestamp, bodySha256 }, purpose);
    const second = await signer.signBytes(utf8(input));
    headers.set(BRAND.header.sellerId, purpose.sellerId);
    headers.set(BRAND.header.purchaseId, purpose.purchaseId);
    headers.set(BRAND.header.redelivery, String(purpose.redelivery));
    headers.set(BRAND.header.deliverySignature, second.signature);
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
