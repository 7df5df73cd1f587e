import { whenLauncherEnds } from './launchers.ts';

type Close = () => unknown;

/** The resources that a program must close, however it ends. */
export interface Lifetime {
  /** Aborted when the program should stop. */
  readonly stopping: AbortSignal;
  /** Adds something to close; the last added is closed first. */
  defer(close: Close): void;
  /** Closes everything; safe to call twice. A failure does not keep the rest open. */
  end(): Promise<void>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Watches for signals and for the end of the launcher. */
export function createLifetime(): Lifetime {
  const controller = new AbortController();
  const closers: Close[] = [];
  let ended: Promise<void> | undefined;

  const stop = () => {
    // A second signal ends the program at once.
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  // Libraries such as Miniflare exit on a signal, which would skip our cleanup.
  const keepSignals = (event: string | symbol, listener: (...values: unknown[]) => void) => {
    if (listener === stop || !SIGNALS.some((signal) => signal === event)) return;
    process.nextTick(() => process.off(event, listener));
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  process.on('newListener', keepSignals);
  const forgetLauncher = whenLauncherEnds(() => {
    if (!controller.signal.aborted) controller.abort();
  });

  async function closeAll(): Promise<void> {
    for (const close of closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        console.error(error);
        process.exitCode = 1;
      }
    }
    forgetLauncher();
    process.off('newListener', keepSignals);
    for (const signal of SIGNALS) process.off(signal, stop);
  }

  return {
    stopping: controller.signal,
    defer(close) {
      closers.push(close);
      // Something that was still starting when the cleanup ran.
      if (ended) ended = ended.then(closeAll);
    },
    end: () => {
      ended ??= closeAll();
      return ended;
    },
  };
}

/** Resolves when the program should stop. */
export function whenStopped({ stopping }: Lifetime): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) resolve();
    else stopping.addEventListener('abort', () => resolve(), { once: true });
  });
}
