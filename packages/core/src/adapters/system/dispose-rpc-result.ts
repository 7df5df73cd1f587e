/**
 * Disposes what an RPC result holds on the other side, and returns the result: until then the callee cannot be
 * evicted. Plain data stays readable.
 */
export function disposeRpcResult<T>(result: T): T {
  if (typeof result === 'object' && result !== null) {
    (result as { [Symbol.dispose]?: () => void })[Symbol.dispose]?.();
  }
  return result;
}
