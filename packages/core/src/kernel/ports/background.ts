/** Work that may end after the answer was given. */
export interface Background {
  run(task: Promise<unknown>): void;
}
