import type { Background } from '../../kernel/ports/background.ts';
import type { IdTally } from '../../kernel/ports/id-tally.ts';
import type { JobMessage, JobQueue } from '../../kernel/ports/job-queue.ts';
import type { Log } from '../../kernel/ports/log.ts';

/** What happens to one message: nothing, or the connection breaks before or after the queue had it. */
type QueueFault = 'lose_request' | 'lose_reply' | undefined;

export class FakeJobQueue implements JobQueue {
  readonly sent: JobMessage[] = [];
  /** Of each message that was sent, in the same order. */
  readonly delaysMs: number[] = [];
  /** May be replaced at any time; asked, and waited for, before each message. */
  fault: () => QueueFault | Promise<QueueFault> = () => undefined;

  async send(message: JobMessage, delayMs = 0): Promise<void> {
    const fault = await this.fault();
    if (fault !== 'lose_request') {
      this.sent.push(message);
      this.delaysMs.push(delayMs);
    }
    if (fault !== undefined) throw new Error('Queue send failed: connection lost.');
  }
}

/** Runs tasks at once and lets a test wait for all of them. */
export class FakeBackground implements Background {
  #tasks: Promise<unknown>[] = [];
  readonly failures: unknown[] = [];

  run(task: Promise<unknown>): void {
    this.#tasks.push(task.catch((error: unknown) => this.failures.push(error)));
  }

  /** Until nothing is left to do, also what tasks themselves started. */
  async settled(): Promise<void> {
    while (this.#tasks.length > 0) await Promise.all(this.#tasks.splice(0));
  }
}

export interface LogLine {
  readonly level: 'info' | 'error';
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export class FakeLog implements Log {
  readonly lines: LogLine[] = [];

  info(event: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'info', event, fields });
  }

  error(event: string, fields: Readonly<Record<string, unknown>> = {}): void {
    this.lines.push({ level: 'error', event, fields });
  }
}

export class FakeTally implements IdTally {
  readonly counts = new Map<string, number>();

  add(id: string): void {
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
  }
}
