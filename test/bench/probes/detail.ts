import type { ProbeBindings } from './bindings.ts';
import { signedResponse } from './sign.ts';

/** A listing by its key, serialised and signed: the work that a detail page cannot do without. */
export default {
  async fetch(request, { DB, SIGNING_KEY }) {
    const id = request.url.slice(request.url.lastIndexOf('/') + 1);
    const { results } = await DB.prepare('SELECT * FROM listings WHERE id = ?').bind(id).all();
    return signedResponse(JSON.stringify(results[0]), SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;
