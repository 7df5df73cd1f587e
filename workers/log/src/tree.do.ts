import { DurableObject } from 'cloudflare:workers';
import { createLogTree } from '@agent-marketplace/core/adapters/durable/log-tree.ts';
import { consoleLog } from '@agent-marketplace/core/adapters/system/system.ts';
import { type LogBindings, logIsolateOf } from '@agent-marketplace/core/compose/log-isolate.ts';
import type { LogTree } from '@agent-marketplace/core/kernel/ports/transparency/transparency-log.ts';
import { SECOND_MS } from '@agent-marketplace/core/kernel/time.ts';
import {
  type LogPorts,
  newSinceStart,
  prunePartialTiles,
  sequenceStatements,
} from '@agent-marketplace/core/transparency/index.ts';

/** How long a statement waits for its leaf, where nothing fails. */
const POLL_MS = 5 * SECOND_MS;

/** Where an object keeps which log is its own; the first never did. */
const NUMBER = 'number';
const FIRST = 1;

/** The one sequencer of the log. Calls that come while it works share its run. */
export class LogTreeObject extends DurableObject<LogBindings> {
  #tree: Promise<LogTree> | null = null;
  #run: Promise<boolean> | null = null;
  readonly #sinceStart = newSinceStart();

  /**
   * Takes what waits, and goes on looking for more. False: something could not be reached; what waits is kept.
   *
   * @param number of its log, which it keeps.
   */
  async sequence(number?: number): Promise<boolean> {
    if (number !== undefined && number !== FIRST) await this.ctx.storage.put(NUMBER, number);
    if ((await this.ctx.storage.getAlarm()) === null) await this.#setAlarm();
    this.#run ??= this.#sequence().finally(() => {
      this.#run = null;
    });
    return this.#run;
  }

  async find(digest: string): Promise<number | null> {
    return (await this.#openTree()).find(digest);
  }

  override async alarm(): Promise<void> {
    // The log that took the place of this one has an object of its own: two would empty one outbox.
    if (!(await this.#isCurrent())) return;
    // First: a run that is cut off is followed by another in any case.
    await this.#setAlarm();
    await this.sequence();
  }

  async #isCurrent(): Promise<boolean> {
    const own = (await this.ctx.storage.get<number>(NUMBER)) ?? FIRST;
    const { number } = await logIsolateOf(this.env).catch(() => ({ number: own }));
    return number === own;
  }

  async #sequence(): Promise<boolean> {
    try {
      const ports = (await logIsolateOf(this.env)).portsFor(await this.#openTree(), this.#sinceStart);
      await sequenceStatements(ports);
      await this.#prune(ports);
      return true;
    } catch (error) {
      consoleLog.error('log_sequencing_failed', { message: String(error) });
      return false;
    }
  }

  /** Holds up no statement: what is not deleted now is deleted in a later run. */
  async #prune(ports: LogPorts): Promise<void> {
    try {
      await prunePartialTiles(ports);
    } catch (error) {
      consoleLog.error('log_pruning_failed', { message: String(error) });
    }
  }

  #openTree(): Promise<LogTree> {
    const { storage } = this.ctx;
    this.#tree ??= createLogTree({
      exec: (sql, ...values) => storage.sql.exec(sql, ...values),
      transaction: (run) => storage.transactionSync(run),
    });
    return this.#tree;
  }

  #setAlarm(): Promise<void> {
    return this.ctx.storage.setAlarm(Date.now() + POLL_MS);
  }
}
