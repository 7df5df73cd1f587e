import { keySetOf } from '@agent-marketplace/sdk';
import { verifyResponse } from '@agent-marketplace/sdk/verify';

export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a client with no types of ours reads what is there.
  readonly body: any;
  readonly text: string;
  /** Of `Retry-After`; null without one. */
  readonly retryAfterMs: number | null;
}

export interface Asking {
  readonly apiKey?: string;
  readonly body?: object;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Longer than a seller may take. */
const TIMEOUT_MS = 45_000;
/** What a restart cuts short may be answered by whatever stands before the Workers, for so long after it. */
const AFTERMATH_MS = 3000;

/** Asks over HTTP, verifies every answer, and writes down each that should not have been given. */
export class Caller {
  readonly wrong: string[] = [];
  readonly statuses: Record<string, number> = {};
  answered = 0;
  broken = 0;
  /** The machine was too busy: what became of the request is asked again. */
  timedOut = 0;
  #disturbedUntil = 0;
  #keys: ReturnType<typeof keySetOf> | null = null;
  readonly baseUrl: string;

  constructor(baseUrl: string) {
    this.baseUrl = baseUrl;
  }

  async readKeys(): Promise<void> {
    this.#keys = keySetOf(await (await fetch(`${this.baseUrl}/signing-key`)).json());
  }

  /** Connections may break while `disturb` runs, and shortly after. */
  async duringOutage(disturb: () => Promise<void>): Promise<void> {
    this.#disturbedUntil = Number.POSITIVE_INFINITY;
    await disturb();
    this.#disturbedUntil = performance.now() + AFTERMATH_MS;
  }

  /** Null: no answer, and whether anything was done is unknown. */
  async ask(method: string, path: string, asking: Asking = {}): Promise<Reply | null> {
    const { apiKey, body, idempotencyKey } = asking;
    const startedAt = performance.now();
    let reply: Omit<Reply, 'body'>;
    try {
      const response = await fetch(this.baseUrl + path, {
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
          ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
          ...asking.headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const retryAfter = response.headers.get('retry-after');
      reply = {
        status: response.status,
        text: await response.text(),
        retryAfterMs: retryAfter === null ? null : Number(retryAfter) * 1000,
      };
    } catch (error) {
      if (error instanceof DOMException && error.name === 'TimeoutError') this.timedOut += 1;
      else if (!this.#isDisturbed(startedAt)) this.note(`${method} ${path}: ${String(error)}`);
      this.broken += 1;
      return null;
    }
    const { status, text } = reply;
    const checked = this.#keys && (await verifyResponse(text, this.#keys));
    if (!checked?.valid) {
      this.broken += 1;
      if (!this.#isDisturbed(startedAt))
        this.note(`${method} ${path}: unsigned ${status} ${text.slice(0, 200)}`);
      return null;
    }
    this.answered += 1;
    this.statuses[status] = (this.statuses[status] ?? 0) + 1;
    if (status === 500) this.note(`${method} ${path}: 500 ${text.slice(0, 300)}`);
    return { ...reply, body: JSON.parse(text) };
  }

  note(what: string): void {
    this.wrong.push(`${new Date().toISOString()} ${what}`);
  }

  #isDisturbed(startedAt: number): boolean {
    return startedAt < this.#disturbedUntil;
  }
}
