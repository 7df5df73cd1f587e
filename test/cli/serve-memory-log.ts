import { createWindowRateLimiter } from '@agent-marketplace/core/adapters/rate-limit/window-rate-limiter.ts';
import { DEFAULT_RATES } from '@agent-marketplace/core/compose/configuration.ts';
import type { createMemoryLog } from '@agent-marketplace/core/testing/doubles/memory-log.ts';
import { proveInclusion } from '@agent-marketplace/core/transparency/index.ts';
import { serveLog } from '@agent-marketplace/core/transport/log/serve-log.ts';
import type { NoteSigner } from '@agent-marketplace/protocol/log/note.ts';

type MemoryLog = Awaited<ReturnType<typeof createMemoryLog>>;

/** A log as its Worker serves it, signed by these keys. */
export function serveMemoryLog(
  { ports, files, clock }: MemoryLog,
  url: string,
  signers: readonly NoteSigner[] = ports.signers,
): Promise<Response> {
  return serveLog(new Request(url), '/api/log', {
    keys: signers.map(({ key }) => key),
    files,
    reader: {
      proofOf: (digest) =>
        proveInclusion({ tree: ports.tree, files, origin: ports.signers[0].key.name }, digest),
    },
    rateLimiter: createWindowRateLimiter(DEFAULT_RATES, clock),
  });
}
