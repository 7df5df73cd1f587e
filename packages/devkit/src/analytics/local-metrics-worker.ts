const NAME = 'local-metrics';
const ENTRYPOINT = 'LocalMetrics';

const SCRIPT = `import { WorkerEntrypoint } from 'cloudflare:workers';
export class ${ENTRYPOINT} extends WorkerEntrypoint {
  async writeDataPoint(point) {
    const written = await fetch(this.env.WRITE_URL, { method: 'POST', body: JSON.stringify(point) });
    await written.body?.cancel();
    if (!written.ok) throw new Error('A data point was refused: ' + written.status);
  }
}
export default { fetch: () => new Response(null, { status: 404 }) };`;

/** What Workers are bound to in place of a dataset: Miniflare's own keeps nothing. */
export const LOCAL_METRICS_BINDING = { name: NAME, entrypoint: ENTRYPOINT };

/** A Worker that passes data points on to the stand-in for Workers Analytics Engine. */
export function localMetricsWorker(writeUrl: string) {
  return {
    name: NAME,
    compatibilityDate: '2026-11-01',
    modules: [{ type: 'ESModule' as const, path: 'index.js', contents: SCRIPT }],
    bindings: { WRITE_URL: writeUrl },
  };
}
