import type { JobMessage } from '@agent-marketplace/core/kernel/ports.ts';
import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { sweepSearchOutbox } from '@agent-marketplace/core/listings/index.ts';
import { publishPlatformListings } from '@agent-marketplace/core/platform/index.ts';
import { publishActiveKey } from '@agent-marketplace/core/provenance/index.ts';
import { type MarketplaceBindings, portsFor } from '@agent-marketplace/core/runtime.ts';

export default {
  /** Every minute: what a fresh deployment lacks, and whatever a lost message left undone. */
  async scheduled(_controller, bindings, ctx) {
    const ports = portsFor(bindings, ctx);
    await publishActiveKey(ports.market, await ports.signer.activeKey(), isoTime(ports.clock.now()));
    await publishPlatformListings(ports);
    await sweepSearchOutbox(ports);
  },

  /** A message is a wake-up: what is to be done stands in the database, so one run serves the whole batch. */
  async queue(batch, bindings, ctx) {
    await sweepSearchOutbox(portsFor(bindings, ctx));
    batch.ackAll();
  },
} satisfies ExportedHandler<MarketplaceBindings, JobMessage>;
