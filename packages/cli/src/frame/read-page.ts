import { LogUnavailableError } from '@agent-marketplace/sdk';

const TIMEOUT_MS = 30_000;

/**
 * An answer of the marketplace as it came, for whoever keeps it as evidence: nothing of it was verified.
 *
 * @throws LogUnavailableError
 */
export async function readPage(url: string): Promise<string> {
  const { pathname, search } = new URL(url);
  const path = `${pathname}${search}`;
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => {
    throw new LogUnavailableError(path, null, 'no answer');
  });
  if (response.ok) return response.text();
  throw new LogUnavailableError(path, response.status, `answered with ${response.status}`);
}
