import { type Answer, runOperation } from '../../kernel/operation/run-operation.ts';
import { answerText, problemText } from './answer-text.rules.ts';
import { type Connection, callOfTool, type Fields } from './connection.ts';
import { META, type ToolOperation } from './names.ts';
import { callPaidQuery, paidListingOf } from './paid-query.ts';
import type { ToolResult } from './tool-result.ts';

export async function callTool(
  operation: ToolOperation,
  connection: Connection,
  sent: Fields,
  meta: Fields,
): Promise<ToolResult> {
  const { paidQueries } = connection.scope;
  const paidListing = paidQueries === null ? null : paidListingOf(operation, sent);
  if (paidQueries !== null && paidListing !== null)
    return callPaidQuery(operation, { connection, paidQueries }, paidListing, { sent, meta });
  const call = callOfTool(operation, connection, sent, meta);
  const answer = await runOperation(operation, connection.scope.runtime, call);
  connection.rate = answer.rate;
  connection.isSigned = true;
  return resultOf(answer, operation, connection.scope.origin.baseUrl);
}

function resultOf(answer: Answer, { mcp }: ToolOperation, baseUrl: string): ToolResult {
  if (answer.kind === 'not_modified') throw new Error('A tool call holds no digest.');
  const body = JSON.parse(new TextDecoder().decode(answer.body)) as Record<string, unknown>;
  const text = answer.kind === 'refused' ? problemText(body) : answerText(body, mcp.answer ?? {}, baseUrl);
  return {
    content: [{ type: 'text', text }],
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
