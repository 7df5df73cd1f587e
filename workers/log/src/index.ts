import { type LogBindings, logIsolateOf } from '@agent-marketplace/core/compose/log-isolate.ts';
import { proveInclusion } from '@agent-marketplace/core/transparency/index.ts';
import { serveLog } from '@agent-marketplace/core/transport/log/serve-log.ts';
import { API_ROOT } from '@agent-marketplace/protocol/brand.ts';
import { LogTreeObject } from './tree.do.ts';

interface LogWorkerBindings extends LogBindings {
  readonly TREE: DurableObjectNamespace<LogTreeObject>;
}

const PREFIX = `${API_ROOT}/log`;

/** Each log has an object of its own: one that ended is never written again. */
const treeOf = ({ TREE }: LogWorkerBindings, number: number) =>
  TREE.getByName(number === 1 ? 'tree' : `tree-${number}`);

export default {
  async scheduled(_controller, bindings) {
    const { number } = await logIsolateOf(bindings);
    await treeOf(bindings, number).sequence(number);
  },

  async fetch(request, bindings) {
    const { logs, rateLimiter } = await logIsolateOf(bindings);
    // No path of a log begins with a number.
    const [path = ''] = /^\/[2-9](?=\/|$)/.exec(new URL(request.url).pathname.slice(PREFIX.length)) ?? [];
    const log = logs.get(path) ?? logs.get('');
    if (log === undefined) throw new Error('There is no log.');
    const { files, keys, number, origin } = log;
    const tree = { find: (digest: string) => treeOf(bindings, number).find(digest) };
    const reader = { proofOf: (digest: string) => proveInclusion({ tree, files, origin }, digest) };
    const prefix = logs.has(path) ? `${PREFIX}${path}` : PREFIX;
    return serveLog(request, prefix, { keys, files, reader, rateLimiter });
  },
} satisfies ExportedHandler<LogWorkerBindings>;

export { LogTreeObject };
