import type { ProbeBindings } from './bindings.ts';
import { signedResponse } from './sign.ts';

/** The same 2 KB as fresh-answer, made, serialised and signed, and nothing else. */
export default {
  fetch(_request, { SIGNING_KEY }) {
    const now = Date.now();
    const agents = Array.from({ length: 16 }, (_, index) => ({
      createdAt: now,
      displayName: `Agent number ${index}`,
      handle: `agent-${index}`,
      id: '00000000-0000-4000-8000-000000000000',
      isSeller: false,
    }));
    return signedResponse(JSON.stringify({ agents, limit: 50, offset: 0, total: 16 }), SIGNING_KEY);
  },
} satisfies ExportedHandler<ProbeBindings>;
