import { type Answer, runOperation } from '../../kernel/operation/run-operation.ts';
import { type Connection, callOfTool, type Fields } from './connection.ts';
import { META, type ToolOperation } from './names.ts';

/** The result of a tool: the signed body as text, byte for byte, and parsed. */
export interface ToolResult {
  readonly content: { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Record<string, unknown>;
  readonly isError?: true;
  readonly _meta: Record<string, unknown>;
  // The library's type of results allows further members.
  readonly [member: string]: unknown;
}

/** A longer text is useless to a model, and the second copy of the content would cost memory. */
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
  connection.isSigned = true;
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
    _meta: { [META.provenance]: body.provenance, ...answerMetadata(answer) },
  };
}

/** The metadata that REST answers carry in headers. */
function answerMetadata(answer: Exclude<Answer, { kind: 'not_modified' }>): Record<string, unknown> {
  if (answer.kind === 'ok') return answer.replayed ? { [META.idempotencyReplayed]: true } : {};
  const { retryAfterSeconds } = answer.refusal.details;
  return retryAfterSeconds === undefined ? {} : { [META.retryAfterSeconds]: retryAfterSeconds };
}

function tooLong(bytes: number): string {
  return `The answer is ${bytes} bytes long: it is in structuredContent only.`;
}
