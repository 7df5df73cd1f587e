import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { type Configuration, isLocalKey } from './configuration.ts';

/**
 * The API root as the world sees it. The host that a request names is chosen by whoever sends it, and would come into mailed
 * links, messages to sign and signed offers: only development takes it from there.
 */
export function baseUrlFor(
  { publicBaseUrl, signingKey }: Pick<Configuration, 'publicBaseUrl' | 'signingKey'>,
  requestUrl: string,
): string {
  if (publicBaseUrl !== null) return publicBaseUrl;
  if (!isLocalKey(signingKey)) throw new Error('The variable PUBLIC_BASE_URL is not set.');
  return `${new URL(requestUrl).origin}${API_ROOT}`;
}
