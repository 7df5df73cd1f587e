/** Work that may continue after the response was sent. */
export interface Background {
  run(task: Promise<unknown>): void;
}
