/** A reason not to start that the person at the keyboard can do something about: shown without a stack. */
export class RefusalToStart extends Error {
  override readonly name = 'RefusalToStart';
}

/** The one line to show for an error, or all there is to know if nobody foresaw it. */
export function explain(error: unknown): string {
  if (error instanceof RefusalToStart) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
