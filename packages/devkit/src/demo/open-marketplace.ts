import { createMarketplaceClient, keySetOf } from '@agent-marketplace/sdk';
import type { Lifetime } from '../lifetime.ts';
import { startWitnessedLog } from '../log/witnessed-log.ts';
import { startTemporaryMarketplace } from '../temporary-marketplace.ts';
import { showProblems } from '../worker-log.ts';
import type { Stage } from './stage.ts';
import type { Story } from './story.ts';

/** The whole marketplace, from nothing. */
export async function openMarketplace(story: Story, lifetime: Lifetime): Promise<Stage> {
  story.chapter('The marketplace starts');
  const startedAt = performance.now();
  const log = await startWitnessedLog();
  lifetime.defer(log.close);
  const marketplace = await startTemporaryMarketplace({ onLog: showProblems, variables: log.variables });
  lifetime.defer(marketplace.close);
  lifetime.stopping.throwIfAborted();
  const { baseUrl, miniflare, cards, chain, runScheduled, now, advanceClock } = marketplace;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  story.fact('runs on', 'workerd with D1, Durable Objects and queues, all local');
  story.fact('state', 'a temporary folder, removed at the end');
  story.fact('API', `${baseUrl}  (ready after ${seconds} s)`);

  const response = await fetch(`${baseUrl}/signing-key`);
  const keys = keySetOf(await response.json());
  const stranger = createMarketplaceClient({ baseUrl });
  const { total } = await stranger.browseListings({ samples: 'include', limit: 1 });
  story.fact('public key', `${keys.keys[0]?.keyId}, which the buyer stores`);
  story.check(total > 0, `${total} listings of the platform itself are there already`);
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
    log,
    stranger,
    keys,
  };
}
