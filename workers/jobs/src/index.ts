import { runEveryMinute, runWakeUp } from '@agent-marketplace/core/jobs.ts';
import type { JobMessage } from '@agent-marketplace/core/kernel/ports.ts';
import { type MarketplaceBindings, portsFor } from '@agent-marketplace/core/runtime.ts';

export default {
  scheduled: (_controller, bindings, ctx) => runEveryMinute(portsFor(bindings, ctx)),

  async queue(batch, bindings, ctx) {
    await runWakeUp(portsFor(bindings, ctx));
    batch.ackAll();
  },
} satisfies ExportedHandler<MarketplaceBindings, JobMessage>;
