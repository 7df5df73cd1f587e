import type { Background } from '../../kernel/ports/background.ts';
import type { Ids } from '../../kernel/ports/ids.ts';
import type { Log } from '../../kernel/ports/log.ts';

export const systemIds: Ids = {
  uuid: () => crypto.randomUUID(),
  randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
};

/** One JSON object per line, the form that log collectors read. */
export const consoleLog: Log = {
  info: (event, fields) => console.log(JSON.stringify({ level: 'info', event, ...fields })),
  error: (event, fields) => console.error(JSON.stringify({ level: 'error', event, ...fields })),
};

/** Work that continues after the response. Nobody awaits it, so a failure is logged. */
export function backgroundOf(ctx: { waitUntil(task: Promise<unknown>): void }, log: Log): Background {
  return {
    run: (task) =>
      ctx.waitUntil(
        task.catch((error: unknown) => log.error('background_task_failed', { message: String(error) })),
      ),
  };
}
