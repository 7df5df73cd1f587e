import { explainFailure } from '../frame/explain-failure.ts';
import type { Shell } from '../frame/shell.ts';
import { plainLine } from '../output/plain-text.ts';
import type { GatewayConfig } from './gateway-config.ts';

const PAGE = 100;

/**
 * Says which of the seller's live listings are not in the gateway's file, although the marketplace delivers them through it:
 * their buyers are turned away. Asked with the profile's key; without one, or without an answer, the gateway serves
 * all the same.
 */
export async function noteUnserved(shell: Shell, config: GatewayConfig): Promise<void> {
  const { apiKey, url } = shell.settings;
  if (apiKey === null || url !== config.marketplace) return;
  try {
    const unserved = await unservedListings(shell, config);
    if (unserved === null) return;
    if (unserved.length === 0) shell.note('It delivers all that you have live.');
    for (const { id, title } of unserved)
      shell.note(
        `"${plainLine(title)}" is live, and this gateway does not deliver it. List it here again, or take it off sale: agent-market listings deactivate ${id}`,
      );
  } catch (error) {
    const failure = explainFailure(error);
    if (failure === null) throw error;
    shell.note(`Whether it delivers all that you sell could not be checked. ${failure.message}`);
  }
}

/** Null: the profile's key is another seller's, or the marketplace calls another address. */
async function unservedListings(shell: Shell, { sellerId, callbackUrl, listings: served }: GatewayConfig) {
  const unserved: { readonly id: string; readonly title: string }[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const { profile, endpoint, listings } = await shell.me.getSellerDashboard({ limit: PAGE, offset });
    if (profile.id !== sellerId || endpoint?.callbackUrl !== callbackUrl) return null;
    unserved.push(...listings.filter(({ id, status }) => status === 'active' && !Object.hasOwn(served, id)));
    if (listings.length < PAGE) return unserved;
  }
}
