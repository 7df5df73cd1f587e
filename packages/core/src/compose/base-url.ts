import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { type Configuration, isLocalKey } from './configuration.ts';

let lastBase = { prefix: '', url: '' };

/**
 * The API root as the world sees it. The host that a request names is chosen by whoever sends it, and would come into mailed
 * links, messages to sign and signed offers: only development takes it from there.
 */
export function baseUrlFor(
  { publicBaseUrl, signingKey }: Pick<Configuration, 'publicBaseUrl' | 'signingKey'>,
  requestUrl: string,
): string {
  if (publicBaseUrl !== null) return publicBaseUrl;
  if (!isLocalKey(signingKey))
    throw new Error(
      'The variable PUBLIC_BASE_URL is not set: a deployment does not take its address from requests.',
    );
  const prefix = requestUrl.slice(0, requestUrl.indexOf('/', requestUrl.indexOf('://') + 3));
  // Nearly always the same as before.
  if (prefix !== lastBase.prefix) lastBase = { prefix, url: `${new URL(requestUrl).origin}${API_ROOT}` };
  return lastBase.url;
}
