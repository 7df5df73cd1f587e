import { whenLauncherEnds } from './launchers.ts';

type Close = () => unknown;

/** What a program started and has to end, in whichever way it comes to its own end. */
export interface Lifetime {
  /** Aborted when the program was told to stop. */
  readonly stopping: AbortSignal;
  /** Closed in the opposite order of what was deferred. */
  defer(close: Close): void;
  /** Closes everything; safe to call twice. A failure to close one thing does not keep the others open. */
  end(): Promise<void>;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Listens to the signals that end a program, and to the end of what launched it. */
export function createLifetime(): Lifetime {
  const controller = new AbortController();
  const closers: Close[] = [];
  let ended: Promise<void> | undefined;

  const stop = () => {
    // Asked again: whoever asks does not want to wait for an orderly end.
    if (controller.signal.aborted) process.exit(1);
    controller.abort();
  };
  // Libraries that end the process at a signal, as Miniflare does, leave no time for an orderly end.
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
      // Something that was still starting when the end came.
      if (ended) ended = ended.then(closeAll);
    },
    end: () => {
      ended ??= closeAll();
      return ended;
    },
  };
}

/** Resolves once the program is told to stop. */
export function whenStopped({ stopping }: Lifetime): Promise<void> {
  return new Promise((resolve) => {
    if (stopping.aborted) resolve();
    else stopping.addEventListener('abort', () => resolve(), { once: true });
  });
}
