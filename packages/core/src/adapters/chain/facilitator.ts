import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import * as z from 'zod';
import type { PaymentFault, WirePayment } from '../../kernel/ports/chain.ts';
import type { Clock } from '../../kernel/ports/clock.ts';
import type { Log } from '../../kernel/ports/log.ts';
import { readCapped } from '../../kernel/read-capped.ts';

export interface FacilitatorOptions {
  /** Without a trailing slash. */
  readonly url: string;
  readonly token: string | null;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** What a facilitator claims. It is not trusted: the chain is read afterwards in every case. */
export type FacilitatorClaim =
  | { readonly kind: 'settled'; readonly transaction: Hex | null }
  | { readonly kind: 'failed'; readonly fault: PaymentFault; readonly transaction: Hex | null }
  /** It was never asked to settle, so nothing was sent. */
  | { readonly kind: 'refused'; readonly fault: PaymentFault }
  | { readonly kind: 'unknown' };

export interface Facilitator {
  settle(
    wire: WirePayment,
    network: { v1: string; v2: string },
    timeoutMs: number,
  ): Promise<FacilitatorClaim>;
}

const MAX_BYTES = 256 * 1024;
const QUICK_MS = 5000;
/** Under the 60 seconds that a payer waits. */
const MAX_SETTLE_MS = 45_000;
const SUPPORTED_FOR_MS = 3600_000;

const supported = z.object({
  kinds: z.array(z.object({ x402Version: z.number(), scheme: z.string(), network: z.string() })),
});
const verified = z.object({ isValid: z.boolean(), invalidReason: z.string().optional() });
const settled = z.object({
  success: z.boolean(),
  errorReason: z.string().optional(),
  transaction: z.string().optional(),
});

/** Payers are shown the reason, so only a plain code is taken over, never free text. */
const reasonIn = (reason: string | undefined): PaymentFault =>
  reason !== undefined && /^[a-z0-9_]{1,80}$/.test(reason) ? reason : 'unexpected_settle_error';

const hashIn = (text: string | undefined): Hex | null =>
  text !== undefined && /^0x[0-9a-fA-F]{64}$/.test(text) ? (text.toLowerCase() as Hex) : null;

/** An x402 facilitator over HTTP. It is first contacted when there is a payment to settle. */
export function createFacilitator({ url, token, fetch, clock, log }: FacilitatorOptions): Facilitator {
  let kinds: { readonly at: number; readonly list: z.infer<typeof supported>['kinds'] } | null = null;

  /** The parsed answer, whatever its status. Null: unreachable, timed out, or not in the form of a facilitator. */
  async function call<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    timeoutMs: number,
    body?: unknown,
  ): Promise<z.output<Schema> | null> {
    try {
      const response = await fetch(`${url}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.body) return null;
      const bytes = await readCapped(response.body, { maxBytes: MAX_BYTES, declaredBytes: null });
      const answer = schema.safeParse(JSON.parse(new TextDecoder().decode(bytes ?? undefined)));
      if (answer.success) return answer.data;
      log.error('facilitator_unreadable', { path, status: response.status });
    } catch (error) {
      log.error('facilitator_failed', { path, reason: error instanceof Error ? error.name : 'unknown' });
    }
    return null;
  }

  async function isSupported(version: number, network: string): Promise<boolean | null> {
    if (!kinds || clock.now() - kinds.at > SUPPORTED_FOR_MS) {
      const answer = await call('/supported', supported, QUICK_MS);
      if (!answer) return null;
      kinds = { at: clock.now(), list: answer.kinds };
    }
    return kinds.list.some(
      (kind) => kind.x402Version === version && kind.scheme === 'exact' && kind.network === network,
    );
  }

  return {
    async settle(wire, network, timeoutMs) {
      const { x402Version, paymentPayload, paymentRequirements } = wire;
      const refuse = (fault: PaymentFault) => ({ kind: 'refused', fault }) as const;
      const isKnown = await isSupported(x402Version, x402Version === 1 ? network.v1 : network.v2);
      if (isKnown === null) return refuse('unexpected_settle_error');
      if (!isKnown) {
        log.error('facilitator_lacks_network', { x402Version });
        return refuse('invalid_network');
      }
      const body = { x402Version, paymentPayload, paymentRequirements };
      const check = await call('/verify', verified, QUICK_MS, body);
      // It holds the signed payment now, but was not asked to settle it.
      if (!check) return refuse('unexpected_settle_error');
      if (!check.isValid) return refuse(reasonIn(check.invalidReason));
      const answer = await call('/settle', settled, Math.min(timeoutMs, MAX_SETTLE_MS), body);
      if (!answer) return { kind: 'unknown' };
      const transaction = hashIn(answer.transaction);
      if (answer.success) return { kind: 'settled', transaction };
      return { kind: 'failed', fault: reasonIn(answer.errorReason), transaction };
    },
  };
}
