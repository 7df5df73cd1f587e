import { commonErrors, Refusal } from '../errors.ts';

/** What an operation needs of the key that calls it. */
export const OPERATION_SCOPES = ['read', 'buy', 'sell', 'manage'] as const;
export type OperationScope = (typeof OPERATION_SCOPES)[number];

/** A key that may do more than read has at least one of these. */
export const ACTING_SCOPES = ['buy', 'sell', 'manage'] as const satisfies readonly OperationScope[];

/** What a key may do. `all` includes what will be added to the marketplace later. */
export const KEY_SCOPES = [...OPERATION_SCOPES, 'all'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** The scopes of which one is enough. */
export type NeededScope = OperationScope | readonly OperationScope[];

export function neededScopes(needed: NeededScope): readonly OperationScope[] {
  return typeof needed === 'string' ? [needed] : needed;
}

/** Whether a key with these scopes may call an operation. One that declares no scope takes `all`. */
export function isInScope(scopes: readonly KeyScope[], needed: NeededScope | undefined): boolean {
  if (scopes.includes('all')) return true;
  return needed !== undefined && neededScopes(needed).some((scope) => scopes.includes(scope));
}

interface Holder {
  readonly scopes: readonly KeyScope[];
  readonly policies: readonly object[];
}

/**
 * Whether a key may do what concerns the whole account, such as its e-mail address or its end. One with a budget may not,
 * whatever its scopes: it would outgrow its limits that way.
 */
export function isWholeKey({ scopes, policies }: Holder): boolean {
  return scopes.includes('all') && policies.length === 0;
}

export function wholeKeyMissing({ scopes, policies }: Holder): Refusal {
  const budget = policies.length === 0 ? '' : ', and a budget';
  return new Refusal(commonErrors.scope_missing, {
    detail: `It takes a key with the scope \`all\` and without a budget. This one has: ${scopes.join(', ')}${budget}.`,
  });
}
