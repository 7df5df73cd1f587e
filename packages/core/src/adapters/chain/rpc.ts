import type { Hex } from '@agent-marketplace/protocol/chain/chain-token.ts';
import type { Log } from '../../kernel/ports/log.ts';
import { readCapped } from '../../kernel/read-capped.ts';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

export type RpcAnswer =
  | { readonly kind: 'result'; readonly value: unknown }
  /** A contract reverted; `data` holds its reason. */
  | { readonly kind: 'reverted'; readonly data: Hex; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** One node of the chain. Never throws. Null: it could not be reached, or belongs to another chain. */
export type Rpc = (calls: readonly RpcCall[]) => Promise<readonly RpcAnswer[] | null>;

export interface RpcOptions {
  readonly url: string;
  readonly chainId: number;
  readonly fetch: typeof globalThis.fetch;
  readonly log: Log;
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 8000;
/** Receipts of transactions with thousands of events are large; nothing asked for here is larger. */
const MAX_BYTES = 8 * 1024 * 1024;

interface WireAnswer {
  readonly id?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code?: unknown; readonly message?: unknown; readonly data?: unknown };
}

/**
 * Sends all calls in one HTTP request, so that one machine behind a provider's load balancer answers them from
 * one state. The first request also checks the chain id: a node of another chain must not be trusted.
 */
export function createRpc({ url, chainId, fetch, log, timeoutMs = TIMEOUT_MS }: RpcOptions): Rpc {
  const CHAIN: RpcCall = { method: 'eth_chainId', params: [] };
  let isRightChain = false;

  async function post(calls: readonly RpcCall[]): Promise<RpcAnswer[] | null> {
    const body = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }));
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      // Some providers answer a batch of one with an object.
      body: JSON.stringify(body.length === 1 ? body[0] : body),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      log.error('chain_rpc_failed', { status: response.status });
      return null;
    }
    const bytes = await readCapped(response.body, { maxBytes: MAX_BYTES, declaredBytes: null });
    if (!bytes) return null;
    const parsed = JSON.parse(new TextDecoder().decode(bytes)) as WireAnswer | WireAnswer[];
    const answers = new Map((Array.isArray(parsed) ? parsed : [parsed]).map((one) => [one.id, one]));
    return calls.map((_, id) => readAnswer(answers.get(id)));
  }

  return async (calls) => {
    try {
      if (isRightChain) return await post(calls);
      const answers = await post([CHAIN, ...calls]);
      const [chain, ...rest] = answers ?? [];
      if (chain?.kind !== 'result') return null;
      if (Number(chain.value) !== chainId) {
        log.error('chain_rpc_wrong_chain', { expected: chainId, found: String(chain.value) });
        return null;
      }
      isRightChain = true;
      return rest;
    } catch (error) {
      log.error('chain_rpc_failed', { reason: error instanceof Error ? error.name : 'unknown' });
      return null;
    }
  };
}

function readAnswer(answer: WireAnswer | undefined): RpcAnswer {
  if (!answer) return { kind: 'failed', message: 'no answer' };
  if (!answer.error) return { kind: 'result', value: answer.result ?? null };
  const message = String(answer.error.message ?? '');
  const data = answer.error.data;
  if (answer.error.code === 3 || /revert/i.test(message)) {
    return { kind: 'reverted', data: isHex(data) ? data : '0x', message };
  }
  return { kind: 'failed', message };
}

export function isHex(value: unknown): value is Hex {
  return typeof value === 'string' && /^0x[0-9a-fA-F]*$/.test(value);
}

/** A quantity of the protocol, or null. */
export function quantityOf(value: unknown): bigint | null {
  return isHex(value) && value.length > 2 ? BigInt(value) : null;
}

export const toQuantity = (value: bigint | number): Hex => `0x${value.toString(16)}`;
