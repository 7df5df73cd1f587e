import {
  keepDeadMessages,
  readMessage,
  runEveryMinute,
  runMessage,
} from '@agent-marketplace/core/compose/jobs.ts';
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
    const about = batch.messages.map(({ body }) => readMessage(body));
    // One run does the work of all wake-ups of a batch; purchases are collected beside each other.
    const collections = about.filter((message) => message?.kind === 'collect');
    await Promise.all(collections.map((message) => runMessage(ports, message)));
    // What was collected has events to send.
    await runMessage(ports, OUTBOX);
    for (const [index, message] of batch.messages.entries()) {
      // A newer version may read it; after its retries it is the operator's. The others are done.
      if (about[index] === null) message.retry();
      else message.ack();
    }
  },
} satisfies ExportedHandler<MarketplaceBindings>;
