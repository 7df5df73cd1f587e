/** Calls that wait in memory, the oldest first, each for something that is held for it: until settled, or its time is over. */
export class WaitingCalls<Held, Answer> {
  readonly #calls = new Map<string, { readonly held: Held; readonly settle: (answer: Answer) => void }>();

  wait(id: string, held: Held, timeoutMs: number, timedOut: Answer): Promise<Answer> {
    return new Promise((resolve) => {
      const settle = (answer: Answer) => {
        clearTimeout(timer);
        this.#calls.delete(id);
        resolve(answer);
      };
      const timer = setTimeout(settle, timeoutMs, timedOut);
      this.#calls.set(id, { held, settle });
    });
  }

  has(id: string): boolean {
    return this.#calls.has(id);
  }

  /** What each is held for, by its id. */
  entries(): [string, Held][] {
    return [...this.#calls].map(([id, { held }]) => [id, held]);
  }

  /** False: no such call waits, or no longer. */
  settle(id: string, answer: Answer): boolean {
    const call = this.#calls.get(id);
    call?.settle(answer);
    return call !== undefined;
  }
}
