/** Where a tab keeps the key: the wallet and the seller console open with the same one. */
export const AGENT_KEY = 'agent-key';

/** The key that this tab keeps; null where there is none, or where the browser refuses storage. */
export function keptAgentKey(): string | null {
  try {
    return sessionStorage.getItem(AGENT_KEY);
  } catch {
    return null;
  }
}
