/**
 * The marketplace as a decentralised identifier of the method `web`, for a host with its port if it has one: it resolves to
 * `/.well-known/did.json` there.
 */
export function didOf(host: string): string {
  return `did:web:${encodeURIComponent(host)}`;
}

/** One of its keys, as `kid` has it. */
export function didKeyOf(host: string, keyId: string): string {
  return `${didOf(host)}#${keyId}`;
}
