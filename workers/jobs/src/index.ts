import { runEveryMinute, runWakeUp } from '@agent-marketplace/core/compose/jobs.ts';
import { type MarketplaceBindings, portsFor } from '@agent-marketplace/core/compose/runtime.ts';
import type { JobMessage } from '@agent-marketplace/core/kernel/ports/job-queue.ts';

export default {
  scheduled: (_controller, bindings, ctx) => runEveryMinute(portsFor(bindings, ctx)),

  async queue(batch, bindings, ctx) {
    await runWakeUp(portsFor(bindings, ctx));
    batch.ackAll();
  },
} satisfies ExportedHandler<MarketplaceBindings, JobMessage>;
