import { createMarketplaceClient, keySetOf } from '@agent-marketplace/sdk';
import type { Lifetime } from '../lifetime.ts';
import { startTemporaryMarketplace } from '../temporary-marketplace.ts';
import { showProblems } from '../worker-log.ts';
import type { Stage } from './stage.ts';
import type { Story } from './story.ts';

/** The whole marketplace, from nothing. */
export async function openMarketplace(story: Story, lifetime: Lifetime): Promise<Stage> {
  story.chapter('The marketplace opens');
  const startedAt = performance.now();
  const marketplace = await startTemporaryMarketplace({ onLog: showProblems });
  lifetime.defer(marketplace.close);
  lifetime.stopping.throwIfAborted();
  const { baseUrl, miniflare, cards, chain, runScheduled, now, advanceClock } = marketplace;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  story.fact('runs on', 'workerd with D1, Durable Objects and queues, all of it local');
  story.fact('state', 'a throw-away folder, removed at the end');
  story.fact('API', `${baseUrl}  (ready after ${seconds} s)`);

  const response = await fetch(`${baseUrl}/signing-key`);
  const keys = keySetOf(await response.json());
  const stranger = createMarketplaceClient({ baseUrl });
  const { total } = await stranger.browseListings({ samples: 'include', limit: 1 });
  story.fact('public key', `${keys.keys[0]?.keyId}, kept by the buyer for later`);
  story.check(total > 0, `${total} listings of the platform's own are there already`);
  return {
    story,
    lifetime,
    baseUrl,
    miniflare,
    cards,
    chain,
    runScheduled,
    now,
    advanceClock,
    stranger,
    keys,
  };
}
