import { isoTime } from '@agent-marketplace/core/kernel/time.ts';
import { publishActiveKey } from '@agent-marketplace/core/provenance/index.ts';
import { type MarketplaceBindings, portsFor } from '@agent-marketplace/core/runtime.ts';

export default {
  async scheduled(_controller, bindings, ctx) {
    const { signer, market, clock } = portsFor(bindings, ctx);
    await publishActiveKey(market, await signer.activeKey(), isoTime(clock.now()));
  },
  async queue(batch) {
    for (const message of batch.messages) message.ack();
  },
} satisfies ExportedHandler<MarketplaceBindings>;
