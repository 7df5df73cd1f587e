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
    const { files, rateLimiter, signers } = await logIsolateOf(bindings);
    const tree = { find: (digest: string) => treeOf(bindings).find(digest) };
    const keys = signers.map(({ key }) => key);
    const origin = signers[0].key.name;
    const reader = { proofOf: (digest: string) => proveInclusion({ tree, files, origin }, digest) };
    return serveLog(request, `${API_ROOT}/log`, { keys, files, reader, rateLimiter });
  },
} satisfies ExportedHandler<LogWorkerBindings>;

export { LogTreeObject };
