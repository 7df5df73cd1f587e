import type { ExitName } from './exit-codes.data.ts';

/** What ends a command: one sentence for a person, and facts for a script. */
export class CliFailure extends Error {
  override readonly name = 'CliFailure';
  readonly exit: ExitName;
  /** What can be done about it; may be of several lines. */
  readonly hint: string | null;
  /** Members of the error that `--json` prints, beside `code`, `message` and `exitCode`. */
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(
    exit: ExitName,
    message: string,
    { hint = null, facts = {} }: { hint?: string | null; facts?: Readonly<Record<string, unknown>> } = {},
  ) {
    super(message);
    this.exit = exit;
    this.hint = hint;
    this.facts = facts;
  }
}
