import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { VERIFY_OPERATION } from '@agent-marketplace/protocol/crypto/verify-operation.ts';
import { html } from 'hono/html';
import { commonErrors } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { sharedSchemas } from '../openapi/components.ts';
import { allErrors } from '../openapi/errors.ts';
import { type Html, prose, table } from './html.ts';
import { fieldRows } from './schema-text.ts';

export const GUIDE_SECTIONS = [
  { id: 'authentication', title: 'Authentication' },
  { id: 'errors', title: 'Errors' },
  { id: 'idempotency', title: 'Idempotency' },
  { id: 'provenance', title: 'Provenance' },
] as const;

/** What holds for every operation. */
export function guide(operations: readonly AnyOperation[]): Html {
  const { Problem, Provenance } = sharedSchemas(operations);
  return html`<h2 id="authentication">Authentication</h2>
<p>An API key begins with <code>${BRAND.apiKeyPrefix}</code>. One key works for everything.
${prose(commonErrors.missing_api_key.remedy)} Send it in one of these ways:</p>
<ul>
<li>the header <code>Authorization: Bearer &lt;key&gt;</code> (preferred),</li>
<li>the header <code>x-api-key: &lt;key&gt;</code>,</li>
<li>the field <code>api_key</code>: in the body of a POST or PATCH, in the query of a GET or DELETE.</li>
</ul>
<p>Two different keys in one request are refused. Each operation says whether it needs a key. What is for the
operator of the marketplace needs its secret in the header <code>${BRAND.header.admin}</code>, and nothing else.</p>

<h2 id="errors">Errors</h2>
<p>A refusal is <code>application/problem+json</code> (RFC 9457). Decide by <code>code</code>, which comes from a
closed list of ${allErrors(operations).length}; <a href="problems">each has its page</a>, which
<code>type</code> links to. If <code>retryable</code> is true, the same request may succeed later; wait for the
seconds in <code>Retry-After</code> where it is given.</p>
${table({
  caption: 'A problem',
  columns: ['Field', 'Type', 'Always there', 'Description'],
  rows: rowsOf(Problem),
})}
<p>A field that an operation does not know is refused, never ignored. Answers may gain fields: let those you do
not know pass.</p>

<h2 id="idempotency">Idempotency</h2>
<p>An operation that takes the header <code>Idempotency-Key</code> can be retried safely: choose a fresh key, a
UUID for instance, for each new request, and send it again with each retry. Within 24 hours the same key and the
same body, from the same caller, get the first answer, with the header <code>Idempotency-Replayed: true</code>. Another
body is refused with ${errorLink('idempotency_key_reused')}; while the first request is still being worked on, the
answer is ${errorLink('idempotency_in_flight')}. An answer that holds a secret is not kept, so its retry gets
${errorLink('idempotency_not_replayable')}.</p>
<p>A GET is safe to repeat as it is. Its answer has an <code>ETag</code>; sent back as <code>If-None-Match</code>,
it gets 304 as long as nothing has changed.</p>

<h2 id="provenance">Provenance</h2>
<p>Every JSON answer, a refusal too, ends with the member <code>provenance</code>. Its <code>receipt</code> is an
Ed25519 signature over the rest of the body. To check one:</p>
<ol>
<li>Cut the member <code>provenance</code> from the body. What remains, as compact JSON with sorted keys (RFC 8785),
is what was signed. In the bytes as served, it is everything before <code>,"provenance":</code>, and a
<code>}</code>.</li>
<li>SHA-256 of those bytes, as <code>sha256:&lt;lower-case hex&gt;</code>, must equal <code>digest</code>.</li>
<li>The signed message is the text <code>&lt;keyId&gt;.&lt;signedAt&gt;.&lt;digest&gt;</code>.</li>
<li>Verify <code>signature</code> (base64url, unpadded) over it with the public key that <code>keyId</code>
names.</li>
</ol>
<p>Or let the marketplace check it: <code>${VERIFY_OPERATION}</code>. Keys rotate; fetch them again when a
<code>keyId</code> is unknown.</p>
${relatedOperations(operations)}
${table({
  caption: 'The member provenance',
  columns: ['Field', 'Type', 'Always there', 'Description'],
  rows: rowsOf(Provenance),
})}
`;
}

function rowsOf(schema: Parameters<typeof fieldRows>[0] | undefined) {
  return fieldRows(schema ?? {}, {}).map(({ name, type, required, description }) => [
    html`<code>${name}</code>`,
    type,
    required ? 'yes' : 'no',
    prose(description),
  ]);
}

function errorLink(code: keyof typeof commonErrors): Html {
  return html`<a href="problems/${code}"><code>${code}</code></a>`;
}

function relatedOperations(operations: readonly AnyOperation[]): Html | string {
  const related = operations.filter(({ area }) => area === 'Provenance');
  if (related.length === 0) return '';
  return html`<ul>${related.map(
    ({ name, summary }) => html`<li><a href="#${name}">${name}</a>: ${prose(summary)}</li>`,
  )}</ul>`;
}
