import type { ProbeBindings } from './bindings.ts';

/** H, and its caller counted for all isolates of the location first. */
export default {
  async fetch(_request, { COUNTER }) {
    const { success } = await COUNTER.limit({ key: 'read 192.0.2.1' });
    return success ? Response.json({ hello: 'world' }) : new Response(null, { status: 429 });
  },
} satisfies ExportedHandler<ProbeBindings>;
