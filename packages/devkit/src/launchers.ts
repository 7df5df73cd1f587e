import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const POLL_MS = 200;
/** Programs that only wait for the one they started: package managers, their shells, the shim of node. */
const LAUNCHER = /\b(npx|npm|pnpm)\b|\.bin\/node\b|^(\S*\/)?(sh|dash|bash) (-e )?-c /;

interface ProcessFacts {
  readonly parent: number;
  readonly command: string;
}

/**
 * Calls back once a program that launched this one is gone. `npx` ends at a SIGTERM without passing it on,
 * and what it started would live on unseen, with its port and its files.
 *
 * @returns what ends the watch.
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

/** From the nearest launcher up; ends at the first program that is none, such as a person's shell. */
function launchersOf(pid: number): number[] {
  const facts = pid > 1 ? factsOf(pid) : null;
  return facts && LAUNCHER.test(facts.command) ? [pid, ...launchersOf(facts.parent)] : [];
}

function factsOf(pid: number): ProcessFacts | null {
  try {
    if (process.platform !== 'linux') return factsFromPs(pid);
    // The name of the program stands in parentheses, and may hold some itself.
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
