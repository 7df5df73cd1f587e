import { keepDeadMessages, runEveryMinute, runMessage } from '@agent-marketplace/core/compose/jobs.ts';
import { type MarketplaceBindings, portsFor, runtimeFor } from '@agent-marketplace/core/compose/runtime.ts';
import type { JobMessage } from '@agent-marketplace/core/kernel/ports/job-queue.ts';

const DEAD_QUEUE = 'marketplace-jobs-dead';
const OUTBOX: JobMessage = { kind: 'outbox' };

export default {
  scheduled(_controller, bindings, ctx) {
    const ports = portsFor(bindings, ctx);
    return runEveryMinute(ports, runtimeFor(bindings, ports).settings);
  },

  async queue(batch, bindings, ctx) {
    const ports = portsFor(bindings, ctx);
    if (batch.queue === DEAD_QUEUE) {
      await keepDeadMessages(ports, batch.messages);
      batch.ackAll();
      return;
    }
    const about = batch.messages.map(({ body }) => body);
    // One run does the work of all wake-ups of a batch; purchases are collected beside each other.
    const collections = about.filter(({ kind }) => kind === 'collect');
    await Promise.all(collections.map((message) => runMessage(ports, message)));
    // What was collected has events to send.
    await runMessage(ports, OUTBOX);
    batch.ackAll();
  },
} satisfies ExportedHandler<MarketplaceBindings, JobMessage>;
