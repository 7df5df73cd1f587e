import { type LogBindings, logIsolateOf } from '@agent-marketplace/core/compose/log-isolate.ts';
import { proveInclusion } from '@agent-marketplace/core/transparency/index.ts';
import { serveLog } from '@agent-marketplace/core/transport/log/serve-log.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { LogTreeObject } from './tree.do.ts';

interface LogWorkerBindings extends LogBindings {
  readonly TREE: DurableObjectNamespace<LogTreeObject>;
}

const treeOf = ({ TREE }: LogWorkerBindings) => TREE.getByName('tree');

export default {
  async scheduled(_controller, bindings) {
    await treeOf(bindings).sequence();
  },

  async fetch(request, bindings) {
    const { files, rateLimiter, signer } = await logIsolateOf(bindings);
    const tree = { find: (digest: string) => treeOf(bindings).find(digest) };
    const reader = {
      proofOf: (digest: string) => proveInclusion({ tree, files, origin: signer.key.name }, digest),
    };
    return serveLog(request, `${API_ROOT}/log`, { key: signer.key, files, reader, rateLimiter });
  },
} satisfies ExportedHandler<LogWorkerBindings>;

export { LogTreeObject };
