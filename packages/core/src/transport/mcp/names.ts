import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import type { McpBinding } from '../../kernel/tools/mcp-binding.ts';
import { snakeCase, type WireNames, wireNames } from '../wire-names.ts';

/** Our members of `_meta`: MCP reserves names with a prefix for the owner of the prefix. */
export const META = {
  provenance: `${BRAND.slug}/provenance`,
  idempotencyKey: `${BRAND.slug}/idempotency-key`,
  idempotencyReplayed: `${BRAND.slug}/idempotency-replayed`,
  retryAfterSeconds: `${BRAND.slug}/retry-after-seconds`,
} as const;

/** The members of `_meta` that x402 defines for tools: a payment in a call, and in its result what was settled. */
export const X402_META = {
  payment: 'x402/payment',
  paymentResponse: 'x402/payment-response',
} as const;

/** An operation that is a tool. */
export type ToolOperation = AnyOperation & { readonly mcp: McpBinding };

export function isTool(operation: AnyOperation): operation is ToolOperation {
  return operation.mcp !== undefined;
}

/** How many rows a call without `limit` is answered with; null: the tool has no pages. */
export function rowsOfPage({ input, mcp }: ToolOperation): number | null {
  const list = mcp.answer?.lists?.find(({ next }) => next !== undefined);
  return typeof list?.rows === 'number' && 'limit' in input.shape ? list.rows : null;
}

/** Tools' arguments are in snake_case, unless the operation says otherwise. */
export function argumentNames({ input, mcp }: ToolOperation): WireNames {
  const snake = Object.keys(input.shape)
    .map((field) => [field, snakeCase(field)] as const)
    .filter(([field, name]) => field !== name);
  return wireNames({ input }, { ...Object.fromEntries(snake), ...mcp.names });
}
