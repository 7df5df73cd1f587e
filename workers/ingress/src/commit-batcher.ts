/**
 * Runs what waits at the same moment in one turn, so that all of it is stored by one commit: for an object
 * that writes a row or two a call, the commit costs more than all else. No answer leaves before the commit, so
 * what a caller was told is stored, as ever.
 */
export class CommitBatcher {
  readonly #waiting: (() => void)[] = [];

  run<T>(work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push(() => {
        try {
          resolve(work());
        } catch (error) {
          reject(error);
        }
      });
      if (this.#waiting.length === 1) setTimeout(() => this.#runAll(), 0);
    });
  }

  #runAll(): void {
    for (const work of this.#waiting.splice(0)) work();
  }
}
