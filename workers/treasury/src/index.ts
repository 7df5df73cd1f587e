import { RelayerObject } from '@agent-marketplace/core/adapters/chain/relayer.do.ts';

export default {
  /** Nothing is asked of this Worker but its object, by the Workers that are bound to it. */
  fetch: () => new Response(null, { status: 404 }),
} satisfies ExportedHandler;

export { RelayerObject };
