const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whether a page of this origin may call. Without the check, any page could reach a marketplace on its reader's
 * machine through a name that resolves there (DNS rebinding). A host name therefore proves nothing, and the
 * service's own origin counts over https only. Pages of the reader's own machine may call: developers' tools do.
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
