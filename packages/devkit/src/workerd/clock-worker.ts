import { LOCAL_CLOCK_ENTRYPOINT } from './bundle.ts';

export const CLOCK_WORKER = 'local-clock';

const SCRIPT = `export default {
  async fetch(request, env) {
    const aheadMs = Number(await request.text());
    await Promise.all(Object.values(env).map((clock) => clock.setAhead(aheadMs)));
    return new Response();
  },
};`;

/** A Worker that puts the clocks of others forward: a POST of how many milliseconds they are ahead of the real time. */
export function clockWorker(workers: readonly string[]) {
  return {
    name: CLOCK_WORKER,
    compatibilityDate: '2026-11-01',
    modules: [{ type: 'ESModule' as const, path: 'index.js', contents: SCRIPT }],
    serviceBindings: Object.fromEntries(
      workers.map((name) => [name, { name, entrypoint: LOCAL_CLOCK_ENTRYPOINT }]),
    ),
  };
}
