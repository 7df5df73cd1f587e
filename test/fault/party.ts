import { AsyncLocalStorage } from 'node:async_hooks';

const working = new AsyncLocalStorage<Party>();

/** One of several who are at work at once. It is held right before one of its calls to the outside, until it is let go. */
export class Party {
  /** What it called, in order. */
  readonly calls: string[] = [];
  readonly #holdAt: number;
  /** Resolves once it is held, or has ended. */
  readonly #stands = Promise.withResolvers<void>();
  readonly #go = Promise.withResolvers<void>();
  #end: Promise<unknown> = Promise.resolve();

  constructor(holdAt: number) {
    this.#holdAt = holdAt;
  }

  /** Whose work it is that makes a call now. */
  static current(): Party | undefined {
    return working.getStore();
  }

  /** Works until it is held, or to its end. */
  async begin(work: () => Promise<unknown>): Promise<void> {
    this.#end = working.run(this, work).finally(() => this.#letGo());
    this.#end.catch(() => {});
    await this.#stands.promise;
  }

  /** Works to its end. */
  async finish(): Promise<void> {
    this.#letGo();
    await this.#end;
  }

  /** Calls that it makes beside the one where it is held are made. */
  async waitBefore(call: string): Promise<undefined> {
    this.calls.push(call);
    if (this.calls.length - 1 !== this.#holdAt) return;
    this.#stands.resolve();
    await this.#go.promise;
  }

  #letGo(): void {
    this.#go.resolve();
    this.#stands.resolve();
  }
}
