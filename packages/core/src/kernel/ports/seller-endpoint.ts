import type { Digest } from '@agent-marketplace/protocol/crypto/signed-statement.ts';
import type { DeliveryPurpose } from '@agent-marketplace/protocol/delivery-purpose.ts';
import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
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
  /** Left out where only the status matters: the body is not read then. */
  readonly reading?: ReplyReading;
}

/** What is made of the body of a reply with HTTP 200. */
export interface ReplyReading {
  /** What the answer is wrapped in: nothing, the JSON-RPC response with this id, or the result of a tool in it. */
  readonly envelope: { readonly kind: 'none' } | { readonly kind: 'rpc' | 'tool'; readonly id: number };
  /** The answer must hold data that fits this schema. Left out: the answer itself is read, and must be small. */
  readonly data?: { readonly outputSchema: JsonObject | null };
}

/** Why a body could not be read as it had to be. */
export type ReadingFailure =
  | 'not_json'
  | 'number_not_exact'
  | 'schema_mismatch'
  | 'not_an_object'
  | 'no_data'
  | 'mcp_protocol_error'
  | 'mcp_tool_error';

/** A body as it was read. Nothing of its size is left to be parsed. */
export type ReadReply =
  | { readonly kind: 'answered'; readonly answer: JsonObject }
  | {
      readonly kind: 'delivered';
      /** The UTF-8 bytes of the RFC 8785 form of `data`, `__sha256` included if the seller sent it. */
      readonly content: Uint8Array;
      readonly digest: Digest;
      /** What the seller says that it used, where it says a whole number. */
      readonly units?: number;
    }
  | { readonly kind: 'unavailable' }
  | { readonly kind: 'failed'; readonly reason: ReadingFailure; readonly retryable: boolean }
  | { readonly kind: 'integrity_mismatch' }
  | { readonly kind: 'too_large' };

/** A call without a reply. */
export type NoReply =
  | { readonly kind: 'url_refused'; readonly reason: EndpointUrlRefusal }
  | { readonly kind: 'redirected'; readonly status: number }
  | { readonly kind: 'unreachable' }
  | { readonly kind: 'timed_out' }
  | { readonly kind: 'too_large' }
  /** Too many calls were under way at once, or too many large replies in memory. It is no failure of the endpoint. */
  | { readonly kind: 'relay_busy' };

/** A reply as HTTP has it. */
export interface HttpReply {
  readonly kind: 'replied';
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Empty unless the status is 200 and the body is read. */
  readonly body: Uint8Array;
  /** What was hashed while the body arrived. */
  readonly digests?: ArrivingDigests;
}

/** SHA-256 of what comes in pieces. */
export interface HashInPieces {
  update(bytes: Uint8Array): void;
  digest(): Digest;
}

/** Hashes the data of a reply while it arrives, in the hope that it is `{"data":…}` in canonical form. */
export interface ArrivingDigests {
  /** Takes the reply as far as it has arrived. */
  take(received: Uint8Array): void;
  /** The digests of the data of a whole reply that is in that form, whose claim, if any, stands there. */
  finish(reply: Uint8Array, claim: ByteSpan | null): DataDigests;
}

/** Where something stands in the bytes of a reply. */
export interface ByteSpan {
  readonly start: number;
  readonly end: number;
}

export interface DataDigests {
  readonly content: Digest;
  /** Of the data without the claim; null where there is none. */
  readonly unclaimed: Digest | null;
}

export type EndpointReply =
  | {
      readonly kind: 'replied';
      readonly status: number;
      /** The header `mcp-session-id`. */
      readonly session: string | null;
      /** The header `retry-after`, as it was sent: seconds, a date, or anything else. */
      readonly retryAfter: string | null;
      /** Null unless the status is 200 and the request says how to read the body. */
      readonly read: ReadReply | null;
    }
  | NoReply;

/** Signed POSTs to a seller's own endpoint (clause: Signed POST contract). Never throws. */
export interface SellerEndpoint {
  post(request: EndpointRequest): Promise<EndpointReply>;
}

/** A request that needs nothing any more but to be sent. */
export interface SignedRequest extends EndpointRequest {
  readonly headers: Readonly<Record<string, string>>;
  /** Local development only. */
  readonly allowLoopbackHttp: boolean;
}

/**
 * Sends requests to hosts that strangers named, and reads what they reply. It is a Worker of its own, without data and
 * without secrets: what a reply does to memory and processor, it does there.
 */
export interface Relay {
  post(request: SignedRequest): Promise<EndpointReply>;
}
