import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Whether /proc tells of processes. */
export const HAS_PROCESSES = process.platform === 'linux';

/** What Linux counts time in for programs, on every machine. */
const TICKS_PER_SECOND = 100;

/** The child of this process that has files of that folder open. */
export function runtimeOver(folder: string): number {
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => parentOf(pid) === process.pid && openFiles(pid).some((path) => path.startsWith(folder)));
  const [pid] = found;
  if (pid === undefined || found.length > 1) throw new Error(`Runtimes over ${folder}: ${found.length}.`);
  return pid;
}

/** What ends while it is looked at has no parent and no files. */
function parentOf(pid: number): number | null {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
  // "pid (name) state parent …", and a name may hold anything.
  const parent = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1];
  return parent === undefined ? null : Number(parent);
}

export function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return orNothing(() => readdirSync(folder), []).map((fd) =>
    orNothing(() => readlinkSync(join(folder, fd)), ''),
  );
}

export function isAlive(pid: number): boolean {
  return parentOf(pid) === process.pid;
}

function orNothing<T>(read: () => T, nothing: T): T {
  try {
    return read();
  } catch {
    return nothing;
  }
}

/** Of all threads of a process so far, in seconds; zero of one that is gone. */
export function processorSecondsOf(pid: number): number {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
  const [userTicks = '0', systemTicks = '0'] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(userTicks) + Number(systemTicks)) / TICKS_PER_SECOND;
}

/** Resident memory of a process, in bytes; zero of one that is gone. */
export function residentBytesOf(pid: number): number {
  const status = orNothing(() => readFileSync(`/proc/${pid}/status`, 'utf8'), '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
