import { setTimeout } from 'node:timers/promises';
import { main } from './main.ts';

// The program: what `main` needs of the process, and nothing else.

const controller = new AbortController();
process.on('SIGINT', () => {
  // Whoever presses it twice does not want to wait for an explanation.
  if (controller.signal.aborted) process.exit(130);
  controller.abort();
});
// `agent-market search | head`: the reader has enough, which is no failure.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));
}
const { stdin, stdout, stderr, env } = process;
const code = await main(process.argv.slice(2), {
  stdin,
  stdout,
  stderr,
  env,
  interrupt: controller.signal,
  sleep: (durationMs, signal) => setTimeout(durationMs, undefined, signal ? { signal } : {}),
});
// What a pipe has not taken yet would be lost with `exit`.
await new Promise((resolve) => stdout.write('', resolve));
process.exit(code);
