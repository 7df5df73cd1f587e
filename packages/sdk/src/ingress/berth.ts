import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { keySetOf } from '../keys.ts';
import { AdmissionRefused } from './admission-refused.ts';
import { type AdmissionTerms, type BerthKey, berthKeyOf } from './berth-key.ts';
import { verifyAdmission } from './verify-admission.ts';

/** A third of a session's lifetime: two heartbeats may be lost. */
const BEAT_MS = 40_000;
const ATTEMPTS = 4;
const FIRST_DELAY_MS = 500;

export interface BerthOptions {
  /** The API root, which ends in `/api`. */
  readonly baseUrl: string;
  /** The secret of your berth, as hex. Without it, a new key is made. */
  readonly secret?: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Milliseconds since the epoch. Replaced in tests. */
  readonly now?: () => number;
  /** Runs the callback once after the delay; returns a function that cancels it. Replaced in tests. */
  readonly after?: (durationMs: number, callback: () => void) => () => void;
  /** Called if the session can neither be renewed nor replaced; the next heartbeat tries again. */
  readonly onTrouble?: (error: unknown) => void;
}

/** A live session at the door. */
export interface Admission {
  readonly sessionId: string;
  /** ISO-8601 UTC; each heartbeat moves it. */
  readonly expiresAt: string;
  /** The ADMIT receipt, as answered. */
  readonly receipt: JsonObject;
}

/**
 * An agent's place at the ingress door: requests admission with its own key, verifies the receipt, and renews
 * the session by heartbeats. If the session ends, it enters again with a new requestId.
 */
export class Berth {
  readonly #options: Required<Pick<BerthOptions, 'fetch' | 'now' | 'after' | 'onTrouble'>>;
  readonly #root: string;
  readonly #key: BerthKey;
  #terms: AdmissionTerms | null = null;
  #admission: Admission | null = null;
  #cancelTimer: (() => void) | null = null;

  /** Makes a key, or uses the one from the options. Sends nothing yet. */
  static async create(options: BerthOptions): Promise<Berth> {
    return new Berth(options, await berthKeyOf(options.secret));
  }

  private constructor(options: BerthOptions, key: BerthKey) {
    this.#key = key;
    this.#root = options.baseUrl.replace(/\/+$/, '');
    this.#options = {
      fetch: options.fetch ?? globalThis.fetch.bind(globalThis),
      now: options.now ?? Date.now,
      after: options.after ?? afterDelay,
      onTrouble: options.onTrouble ?? (() => {}),
    };
  }

  get key(): BerthKey {
    return this.#key;
  }

  /** Null before admission, and after the end of a session until the next admission. */
  get admission(): Admission | null {
    return this.#admission;
  }

  /**
   * Enters, and stays until `leave` is called.
   *
   * @throws AdmissionRefused with the code of the REFUSE receipt.
   */
  async enter(terms: AdmissionTerms): Promise<Admission> {
    this.leave();
    const admission = await this.admit(terms);
    this.#terms = terms;
    this.#scheduleHeartbeat();
    return admission;
  }

  /** Stops the heartbeats, so that the session expires. */
  leave(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#terms = null;
  }

  /** Requests admission once, under a new requestId and without heartbeats. */
  async admit(terms: AdmissionTerms): Promise<Admission> {
    const requestId = crypto.randomUUID();
    const receipt = await this.#withRetries(async () => {
      const ts = Math.floor(this.#options.now() / 1000);
      return this.#post('/ingress/admit', { ...(await this.#key.sign(terms, requestId, ts)) });
    });
    await this.#requireValidReceipt(receipt, requestId);
    const { sessionId, expiresAt } = receipt as { sessionId: string; expiresAt: string };
    this.#admission = { sessionId, expiresAt, receipt };
    return this.#admission;
  }

  /** Renews the session. False if it has ended. */
  async heartbeat(): Promise<boolean> {
    const admission = this.#admission;
    if (admission === null) return false;
    try {
      const { sessionId } = admission;
      const beat = await this.#withRetries(() => this.#post('/ingress/heartbeat', { sessionId }));
      this.#admission = { ...admission, expiresAt: String(beat.expiresAt) };
      return true;
    } catch (error) {
      if (!(error instanceof AdmissionRefused) || error.status !== 404) throw error;
      this.#admission = null;
      return false;
    }
  }

  #scheduleHeartbeat(): void {
    this.#cancelTimer = this.#options.after(BEAT_MS, () => void this.#renewOrReenter());
  }

  async #renewOrReenter(): Promise<void> {
    const terms = this.#terms;
    if (terms === null) return;
    try {
      if (!(await this.heartbeat())) await this.admit(terms);
    } catch (error) {
      this.#options.onTrouble(error);
    }
    if (this.#terms === terms) this.#scheduleHeartbeat();
  }

  async #requireValidReceipt(receipt: JsonObject, requestId: string): Promise<void> {
    const [keys, schedule] = await Promise.all([this.#get('/ingress/keys'), this.#get('/ingress/schedule')]);
    const verified = await verifyAdmission(receipt, keySetOf(keys), schedule);
    const isOurs = receipt.requestId === requestId && receipt.berthKey === this.#key.berthKey;
    if (verified.valid && verified.type === 'ADMIT' && isOurs) return;
    const detail = verified.valid ? 'The receipt is of another admission.' : verified.detail;
    throw new AdmissionRefused('untrusted_receipt', 200, { ...receipt, detail });
  }

  /** Retries with the same requestId while the door is not reachable. */
  async #withRetries(send: () => Promise<JsonObject>): Promise<JsonObject> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await send();
      } catch (error) {
        const isDown = error instanceof AdmissionRefused && error.retryable && error.status !== 429;
        if (!isDown || attempt === ATTEMPTS) throw error;
        const delayMs = Math.max((error.retryAfterSeconds ?? 0) * 1000, FIRST_DELAY_MS * 2 ** (attempt - 1));
        await new Promise<void>((resolve) => this.#options.after(delayMs, resolve));
      }
    }
  }

  #get(path: string): Promise<JsonObject> {
    return this.#send(path, {});
  }

  #post(path: string, body: JsonObject): Promise<JsonObject> {
    const headers = { 'content-type': 'application/json' };
    return this.#send(path, { method: 'POST', headers, body: JSON.stringify(body) });
  }

  async #send(path: string, init: RequestInit): Promise<JsonObject> {
    let response: Response;
    let body: unknown;
    try {
      response = await this.#options.fetch(this.#root + path, init);
      body = await response.json();
    } catch (cause) {
      throw new AdmissionRefused('network_error', 0, {}, cause);
    }
    const answer = isJsonObject(body) ? body : {};
    if (response.ok) return answer;
    throw new AdmissionRefused(String(answer.code ?? 'unexpected_response'), response.status, answer);
  }
}

function afterDelay(durationMs: number, callback: () => void): () => void {
  const timer = setTimeout(callback, durationMs);
  return () => clearTimeout(timer);
}
