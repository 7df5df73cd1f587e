/** How an operation is a tool. */
export interface McpBinding {
  readonly tool: string;
  readonly title: string;
  /** For a model that chooses between tools: what it does, when to use it, what it costs, what comes next. */
  readonly description: string;
  /** Operation field → argument, where that is not the field in snake_case. */
  readonly names?: Readonly<Record<string, string>>;
  /** Optional fields that are taken and not listed: no model has a reason to send them, and every model would read them. */
  readonly unlisted?: readonly string[];
  readonly hints: { readonly readOnly: boolean; readonly destructive: boolean; readonly idempotent: boolean };
  readonly answer?: ToolAnswer;
  readonly payment?: ToolPayment;
}

/** A call that is paid by what comes with it, and is answered by another operation, of the Worker of paid queries. */
export interface ToolPayment {
  /** The call is paid so where this field has this value. */
  readonly field: string;
  readonly value: string;
  /** The path of the other operation, a POST, and the field that its `{id}` is. */
  readonly path: string;
  readonly pathField: string;
}

// biome-ignore lint/suspicious/noExplicitAny: answers vary per operation; each declaration names the type of its own.
type Value = any;

/**
 * How much of an operation's answer its tool gives, because a model reads every byte: see docs/adr/0021-tool-answers.md.
 * By default the whole answer.
 */
export interface ToolAnswer {
  /** The members that are answered. By default all. */
  readonly members?: readonly string[];
  /** Members that are answered in a shorter form. */
  readonly parts?: Readonly<Record<string, (part: Value) => object>>;
  readonly lists?: readonly ToolList[];
  /** What the text of a result tells, as paths into the answer. By default all of it. Rows of lists are always told. */
  readonly text?: readonly string[];
  /**
   * What is cut short, or left out where it is no text, if the answer would be longer than a model should read: as paths
   * into the answer, the first one first. The answer's `hint` names it, with `whole`.
   */
  readonly expendable?: readonly string[];
  /** The member that was paid for: told word by word where the text has room for it, and never in part. */
  readonly deliverable?: string;
  /** The path of REST that has the whole, with `{path}` for what is in the answer. */
  readonly whole?: string;
}

export interface ToolList {
  /** The member of the answer. */
  readonly member: string;
  /** How many rows are answered to a call without `limit`, at most. `all`: the tool has no `limit`, and drops none. */
  readonly rows: number | 'all';
  /** A short row. Without it rows stay whole, as those that are signed must. */
  readonly row?: (row: Value) => object;
  /** The fields of a short row that remain where all that were asked for have no room. */
  readonly least?: readonly string[];
  /** The fields of a short row that the text tells. */
  readonly text: readonly string[];
  /**
   * How the rows after those of the answer are had: by `offset`, with whether there are rows after the first `end`; or by
   * a member of the answer that holds this field of the last row. Absent: they are had by a higher `limit`.
   */
  readonly next?:
    | { readonly offset: (answer: Value, end: number) => boolean }
    | { readonly member: string; readonly field: string };
  /** How to ask for less. */
  readonly narrow?: string;
}
