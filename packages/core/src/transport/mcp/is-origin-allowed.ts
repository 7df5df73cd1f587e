const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a page of this origin may call. Without the check, a page anywhere could reach a marketplace on
 * its reader's machine, by a name that it lets point there (DNS rebinding): so a host that the caller may
 * have chosen is no proof, and the service's own origin counts only over https. Pages on the reader's own
 * machine are let in: developers' tools are such pages.
 */
export function isOriginAllowed(origin: string | null, baseUrl: string, allowed: readonly string[]): boolean {
  if (origin === null) return true;
  if (allowed.includes(origin)) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  if (from.protocol !== 'http:' && from.protocol !== 'https:') return false;
  if (LOOPBACK.has(from.hostname)) return true;
  return from.protocol === 'https:' && from.origin === new URL(baseUrl).origin;
}
