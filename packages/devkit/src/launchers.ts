import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const POLL_MS = 200;
/** Programs that only wait for a child: package managers, their shells, the shim of node. */
const LAUNCHER = /\b(npx|npm|pnpm)\b|\.bin\/node\b|^(\S*\/)?(sh|dash|bash) (-e )?-c /;

interface ProcessFacts {
  readonly parent: number;
  readonly command: string;
}

/**
 * Calls back when a program that launched this one is gone. `npx` ends on SIGTERM without passing it on, and
 * the marketplace would live on with its port and files.
 *
 * @returns a function that ends the watch.
 */
export function whenLauncherEnds(stop: () => void): () => void {
  const launchers = launchersOf(process.ppid);
  if (launchers.length === 0) return () => {};
  const timer = setInterval(() => {
    if (launchers.every(isAlive)) return;
    clearInterval(timer);
    stop();
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** The launchers from the nearest up, until a program that is not one, such as a person's shell. */
function launchersOf(pid: number): number[] {
  const facts = pid > 1 ? factsOf(pid) : null;
  return facts && LAUNCHER.test(facts.command) ? [pid, ...launchersOf(facts.parent)] : [];
}

function factsOf(pid: number): ProcessFacts | null {
  try {
    if (process.platform !== 'linux') return factsFromPs(pid);
    // The program's name is in parentheses, and may contain some itself.
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    return { parent: Number(parent), command };
  } catch {
    return null;
  }
}

function factsFromPs(pid: number): ProcessFacts | null {
  const line = execFileSync('ps', ['-o', 'ppid=,args=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  const found = /^(\d+)\s+(.*)$/.exec(line);
  return found ? { parent: Number(found[1]), command: found[2] ?? '' } : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
