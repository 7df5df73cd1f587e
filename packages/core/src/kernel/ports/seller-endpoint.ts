import type { DeliveryPurpose } from '../delivery-purpose.ts';
import type { EndpointUrlRefusal } from '../endpoint-url.ts';

export interface EndpointRequest {
  /** The URL exactly as registered: it is part of the signed message. */
  readonly url: string;
  readonly body: string;
  /** From the start of the call to the last byte of the reply. */
  readonly timeoutMs: number;
  /** The limit of the reply's body after decompression. */
  readonly maxBytes: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Named in headers of its own, under a second signature. */
  readonly purpose?: DeliveryPurpose;
}

export type EndpointReply =
  | {
      readonly kind: 'replied';
      readonly status: number;
      readonly headers: { get(name: string): string | null };
      /** Empty unless the status is a success (2xx): the body of a failure is not read. */
      readonly body: Uint8Array;
    }
  | { readonly kind: 'url_refused'; readonly reason: EndpointUrlRefusal }
  | { readonly kind: 'redirected'; readonly status: number }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'too_large' }
  /** Too many large replies were in memory at once. It is no failure of the endpoint. */
  | { readonly kind: 'relay_busy' };

/** Signed POSTs to a seller's own endpoint (clause: Signed POST contract). Never throws. */
export interface SellerEndpoint {
  post(request: EndpointRequest): Promise<EndpointReply>;
}
