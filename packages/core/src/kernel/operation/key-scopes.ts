/** What an operation needs of the key that calls it. */
export const OPERATION_SCOPES = ['read', 'buy', 'sell', 'manage'] as const;
export type OperationScope = (typeof OPERATION_SCOPES)[number];

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
