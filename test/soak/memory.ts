import type { Marketplace } from '@agent-marketplace/devkit/marketplace.ts';
import { residentBytesOf, runtimeOver } from '../runtime-process.ts';

/** Of one isolate, in bytes. */
export interface Heap {
  readonly worker: string;
  readonly usedBytes: number;
  /** What the heap has from the system; at most `--max-old-space-size` and its young generation. */
  readonly totalBytes: number;
  /** Of ArrayBuffers and of strings outside the heap. */
  readonly outsideBytes: number;
}

export interface MemorySample {
  readonly atSeconds: number;
  readonly residentBytes: number;
  readonly heaps: readonly Heap[];
}

interface Target {
  readonly title: string;
  readonly webSocketDebuggerUrl: string;
}

/** Each isolate is asked over the DevTools protocol; one that ends meanwhile is left out. */
export async function sampleMemory(
  { miniflare }: Marketplace,
  stateDir: string,
  atSeconds: number,
): Promise<MemorySample> {
  const { host } = await miniflare.getInspectorURL();
  const targets = (await (await fetch(`http://${host}/json`)).json()) as Target[];
  const heaps = await Promise.all(targets.map(heapOf));
  return {
    atSeconds,
    residentBytes: residentBytesOf(runtimeOver(stateDir)),
    heaps: heaps.filter((heap) => heap !== null),
  };
}

async function heapOf({ title, webSocketDebuggerUrl }: Target): Promise<Heap | null> {
  const answer = await callInspector(webSocketDebuggerUrl, 'Runtime.getHeapUsage');
  if (answer === null) return null;
  return {
    worker: title.split(' ').at(-1) ?? title,
    usedBytes: answer.usedSize ?? 0,
    totalBytes: answer.totalSize ?? 0,
    outsideBytes: (answer.backingStorageSize ?? 0) + (answer.embedderHeapUsedSize ?? 0),
  };
}

function callInspector(url: string, method: string): Promise<Record<string, number> | null> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url);
    const end = (result: Record<string, number> | null) => {
      resolve(result);
      socket.close();
    };
    socket.addEventListener('open', () => socket.send(JSON.stringify({ id: 1, method })));
    socket.addEventListener('message', ({ data }) => {
      const message = JSON.parse(String(data)) as { id?: number; result?: Record<string, number> };
      if (message.id === 1) end(message.result ?? null);
    });
    socket.addEventListener('error', () => end(null));
    socket.addEventListener('close', () => resolve(null));
  });
}

const MB = 2 ** 20;

/** The most of each isolate, and the whole process over time, as Markdown. */
export function tableOfMemory(samples: readonly MemorySample[]): string {
  const mb = (bytes: number) => (bytes / MB).toFixed(bytes < 10 * MB ? 1 : 0);
  const workers = [...new Set(samples.flatMap(({ heaps }) => heaps.map(({ worker }) => worker)))].toSorted();
  const most = (worker: string, of: (heap: Heap) => number) =>
    Math.max(...samples.flatMap(({ heaps }) => heaps.filter((one) => one.worker === worker).map(of)));
  return [
    '| isolate | MB used at most | of the system at most | outside the heap at most |',
    '|---|---|---|---|',
    ...workers
      .toSorted((a, b) => most(b, ({ totalBytes }) => totalBytes) - most(a, ({ totalBytes }) => totalBytes))
      .slice(0, 16)
      .map(
        (worker) =>
          `| ${worker} | ${mb(most(worker, ({ usedBytes }) => usedBytes))} | ${mb(most(worker, ({ totalBytes }) => totalBytes))} | ${mb(most(worker, ({ outsideBytes }) => outsideBytes))} |`,
      ),
    '',
    '| s | MB of the process | in heaps | outside them, of isolates |',
    '|---|---|---|---|',
    ...samples.map(({ atSeconds, residentBytes, heaps }) => {
      const sum = (of: (heap: Heap) => number) => heaps.reduce((total, heap) => total + of(heap), 0);
      return `| ${atSeconds} | ${mb(residentBytes)} | ${mb(sum(({ totalBytes }) => totalBytes))} | ${mb(sum(({ outsideBytes }) => outsideBytes))} |`;
    }),
  ].join('\n');
}
