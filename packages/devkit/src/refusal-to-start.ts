/** An error that the user can fix: shown without a stack. */
export class RefusalToStart extends Error {
  override readonly name = 'RefusalToStart';
}

/** The message of an expected error, or the stack of an unexpected one. */
export function explain(error: unknown): string {
  if (error instanceof RefusalToStart) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
