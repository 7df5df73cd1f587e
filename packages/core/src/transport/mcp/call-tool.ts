import { type Answer, runOperation } from '../../kernel/operation/run-operation.ts';
import { type Connection, callOfTool, type Fields } from './connection.ts';
import { META, type ToolOperation } from './names.ts';

/** What a tool answers: the signed body as text, byte for byte, and parsed. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta: Record<string, unknown>;
  // Results are open objects to the library.
  readonly [member: string]: unknown;
}

/** Past this a text is of no use to a model, and a second copy of the content would only cost memory. */
const MAX_TEXT_BYTES = 1024 * 1024;

export async function callTool(
  operation: ToolOperation,
  connection: Connection,
  sent: Fields,
  meta: Fields,
): Promise<ToolResult> {
  const call = callOfTool(operation, connection, sent, meta);
  const answer = await runOperation(operation, connection.scope.runtime, call);
  connection.rate = answer.rate;
  return resultOf(answer);
}

function resultOf(answer: Answer): ToolResult {
  if (answer.kind === 'not_modified') throw new Error('A tool call holds no digest.');
  const text = new TextDecoder().decode(answer.body);
  const body = JSON.parse(text) as Record<string, unknown>;
  return {
    content: [
      { type: 'text', text: answer.body.length <= MAX_TEXT_BYTES ? text : tooLong(answer.body.length) },
    ],
    structuredContent: body,
    ...(answer.kind === 'refused' ? { isError: true as const } : {}),
    _meta: { [META.provenance]: body.provenance, ...circumstances(answer) },
  };
}

/** What HTTP says in headers. */
function circumstances(answer: Exclude<Answer, { kind: 'not_modified' }>): Record<string, unknown> {
  if (answer.kind === 'ok') return answer.replayed ? { [META.idempotencyReplayed]: true } : {};
  const { retryAfterSeconds } = answer.refusal.details;
  return retryAfterSeconds === undefined ? {} : { [META.retryAfterSeconds]: retryAfterSeconds };
}

function tooLong(bytes: number): string {
  return `The answer is ${bytes} bytes long: it is in structuredContent only.`;
}
