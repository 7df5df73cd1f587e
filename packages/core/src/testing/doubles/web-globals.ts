const NAMES = ['Request', 'Response', 'fetch'] as const;
const ofNode = Object.fromEntries(NAMES.map((name) => [name, globalThis[name]]));

/**
 * Undoes what a library did to them in an earlier file of this process. A server for Node puts its own `Response` in place,
 * which shares the headers that it is given: what is set on one answer appears on all.
 */
export function restoreWebGlobals(): void {
  Object.assign(globalThis, ofNode);
}
