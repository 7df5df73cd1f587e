import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';

/** The outcome of one attempt. */
export type Attempt =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly headers: Headers;
      readonly text: string;
      /** The body, where it is one JSON object. */
      readonly body: JsonObject | null;
      /** The body of a success that is a file. */
      readonly bytes: Uint8Array | null;
    }
  | { readonly kind: 'failed'; readonly code: 'network_error' | 'timed_out'; readonly cause: unknown };
