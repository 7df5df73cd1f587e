import { fromBase64, toBase64, utf8 } from '@agent-marketplace/protocol/crypto/encoding.ts';
import { serialise, sign } from '@agent-marketplace/protocol/crypto/seal.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import { commonErrors, Refusal } from '../../kernel/errors.ts';
import type { Call } from '../../kernel/operation/call.ts';
import type { ToolPayment } from '../../kernel/tools/mcp-binding.ts';
import { answerText, problemText } from './answer-text.rules.ts';
import { type Connection, callOfResource, type Fields, type PaidQueries } from './connection.ts';
import { argumentNames, META, type ToolOperation, X402_META } from './names.ts';
import { provenanceFor } from './sign-answer.ts';
import type { ToolResult } from './tool-result.ts';

/** Of the HTTP request around the message: who calls, and payments, of which only one may come. */
const PASSED_ON = [
  'authorization',
  'x-api-key',
  'cf-connecting-ip',
  'cf-worker',
  'x-payment',
  'payment-signature',
];

/** The listing that a call of this tool pays for by what comes with it; null: it is paid in another way. */
export function paidListingOf(operation: ToolOperation, sent: Fields): string | null {
  const { payment } = operation.mcp;
  if (payment === undefined) return null;
  const { toField } = argumentNames(operation);
  const sentAs = (field: string) => Object.entries(sent).find(([name]) => toField(name) === field)?.[1];
  const listing = sentAs(payment.pathField);
  if (sentAs(payment.field) !== payment.value || typeof listing !== 'string' || listing === '') return null;
  return listing;
}

/** A call that is paid with USDC, as the Worker of paid queries answers it (clause: x402 pay-per-query). */
export async function callPaidQuery(
  operation: ToolOperation,
  { connection, paidQueries }: { readonly connection: Connection; readonly paidQueries: PaidQueries },
  listing: string,
  { sent, meta }: { readonly sent: Fields; readonly meta: Fields },
): Promise<ToolResult> {
  connection.isSigned = true;
  const payment = meta[X402_META.payment];
  const request = requestOf(operation, connection, listing, { sent, payment });
  const response = await paidQueries.fetch(request).catch(() => null);
  const body = response === null ? null : await readJson(response);
  // What it did not live to answer may have been paid all the same.
  if (response === null || body === null)
    return answerUnavailable(operation, connection, payment !== undefined);
  const { headers, status } = response;
  const settled = decoded(headers.get('PAYMENT-RESPONSE'));
  const settlement = settled === null ? {} : { [X402_META.paymentResponse]: settled };
  const terms = status === 402 ? decoded(headers.get('PAYMENT-REQUIRED')) : null;
  if (terms !== null) return termsResult(terms, connection, settlement);
  if (status !== 200) return problemResult(body, connection, { ...settlement, ...waitOf(headers) });
  return {
    content: [{ type: 'text', text: answerText(body, operation.mcp.answer ?? {}, baseUrlOf(connection)) }],
    structuredContent: body,
    _meta: { [META.provenance]: body.provenance, ...settlement },
  };
}

function requestOf(
  operation: ToolOperation,
  connection: Connection,
  listing: string,
  { sent, payment }: { readonly sent: Fields; readonly payment: unknown },
): Request {
  const { path, field, pathField } = operation.mcp.payment as ToolPayment;
  const { toField } = argumentNames(operation);
  // All other arguments go along: what a paid query does not take is refused by its name.
  const fields = Object.entries(sent).filter(([name]) => ![field, pathField].includes(toField(name)));
  const paid = payment === undefined ? {} : { paymentSignature: toBase64(utf8(JSON.stringify(payment))) };
  const headers = new Headers({ 'content-type': 'application/json' });
  for (const name of PASSED_ON) {
    const value = connection.request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const url = baseUrlOf(connection) + path.replace('{id}', encodeURIComponent(listing));
  return new Request(url, {
    method: 'POST',
    headers,
    body: JSON.stringify({ ...Object.fromEntries(fields), ...paid }),
  });
}

/** The terms as the header has them, and nothing else: clients of x402 sign what they find there. */
async function termsResult(
  terms: JsonObject,
  { scope }: Connection,
  settlement: JsonObject,
): Promise<ToolResult> {
  const { digest } = await serialise(terms);
  return {
    content: [{ type: 'text', text: JSON.stringify(terms) }],
    structuredContent: terms,
    isError: true,
    _meta: { [META.provenance]: await provenanceFor(digest, scope), ...settlement },
  };
}

/** A problem of the other Worker names operations as REST does: here it names tools, and is signed as it is sent. */
async function problemResult(
  { provenance: _, ...problem }: JsonObject,
  connection: Connection,
  more: JsonObject,
): Promise<ToolResult> {
  const { scope } = connection;
  const render = (value: unknown) => (typeof value === 'string' ? scope.renderText(value) : value);
  const errors = Array.isArray(problem.errors)
    ? problem.errors.map((one) => (isJsonObject(one) ? { ...one, message: render(one.message) } : one))
    : undefined;
  const rendered = {
    ...problem,
    detail: render(problem.detail),
    title: render(problem.title),
    ...(errors === undefined ? {} : { errors }),
  };
  const { signer, clock } = scope.runtime.ports;
  const bytes = await sign(await serialise(rendered), signer, clock.now(), baseUrlOf(connection));
  const body = JSON.parse(new TextDecoder().decode(bytes)) as Record<string, unknown>;
  return {
    content: [{ type: 'text', text: problemText(body) }],
    structuredContent: body,
    isError: true,
    _meta: { [META.provenance]: body.provenance, ...more },
  };
}

function answerUnavailable(
  operation: ToolOperation,
  connection: Connection,
  isPaid: boolean,
): Promise<ToolResult> {
  const retryAfterSeconds = 2;
  const refusal = new Refusal(commonErrors.service_unavailable, {
    charged: isPaid ? null : false,
    retryAfterSeconds,
    ...(isPaid ? { detail: 'Call again with the same payment: it is charged once at the most.' } : {}),
  });
  const call: Call = callOfResource(connection, {});
  connection.scope.runtime.ports.log.error('paid_query_unanswered', {
    requestId: call.requestId,
    operation: operation.name,
  });
  const problem = connection.scope.runtime.problem(refusal, call) as JsonObject;
  return problemResult(problem, connection, { [META.retryAfterSeconds]: retryAfterSeconds });
}

function waitOf(headers: Headers): JsonObject {
  const seconds = headers.get('retry-after');
  return seconds === null ? {} : { [META.retryAfterSeconds]: Number(seconds) };
}

async function readJson(response: Response): Promise<JsonObject | null> {
  const body: unknown = await response.json().catch(() => null);
  return isJsonObject(body) ? body : null;
}

function decoded(header: string | null): JsonObject | null {
  const bytes = header === null ? null : fromBase64(header);
  if (bytes === null) return null;
  const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isJsonObject(value) ? value : null;
}

function baseUrlOf({ scope }: Connection): string {
  return scope.origin.baseUrl;
}
