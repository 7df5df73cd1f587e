import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { html } from 'hono/html';
import { API_ROOT_PLACE } from '../../../docs/doc-page.ts';
import type { Html } from '../frame.ts';
import { answerTable, prose } from './markup.ts';
import { areaPath, type Route, routeText } from './operation-page.ts';
import { REFERENCE_PATH, type ReferencePage } from './reference-page.ts';
import type { SchemaRow } from './schema-rows.ts';

/** The fields of what is in every refusal, and in every answer. */
interface SharedRows {
  readonly problem: readonly SchemaRow[];
  readonly provenance: readonly SchemaRow[];
}

/** What holds for every operation, and the list of all of them. An operation's name is an anchor here. */
export function overviewPage(
  routesByArea: ReadonlyMap<string, readonly Route[]>,
  shared: SharedRows,
): ReferencePage {
  const content = html`<h1>API reference</h1>
<p>All paths are relative to <code>${API_ROOT_PLACE}</code>, which samples call <code>$BASE</code>. Requests and
answers are JSON; times are ISO-8601 in UTC, money is in whole cents, ids are UUIDs. Programs read the same in
<a href="/openapi.json">openapi.json</a>, and operators in <a href="/openapi-operator.json">openapi-operator.json</a>.</p>
${conventions(shared)}
${[...routesByArea].map(
  ([area, routes]) => html`<h2 id="${areaPath(area).split('#')[1]}">${area}</h2>
<ul class="entries">${routes.map(
    (route) => html`<li class="entry" id="${route.operation.operationId}"><div class="entry-what">
<a href="${REFERENCE_PATH}/${route.operation.operationId}">${route.operation.operationId}</a>
${routeText(route)}
<p>${prose(route.operation.summary)}</p>
</div></li>
`,
  )}</ul>`,
)}`;
  return {
    path: REFERENCE_PATH,
    title: 'API reference',
    description:
      'Every operation of the marketplace, with its fields, answers, errors and a command that calls it.',
    content: String(content),
    area: REFERENCE_PATH,
    searchText: 'Authentication Errors Idempotency Provenance OpenAPI REST operations',
  };
}

function conventions({ problem, provenance }: SharedRows): Html {
  return html`<h2 id="authentication">Authentication</h2>
<p>An API key begins with <code>${BRAND.apiKeyPrefix}</code>. You get one at once with
<a href="${REFERENCE_PATH}/registerAgent"><code>POST /agents/register</code></a>. One key works for everything that
its scopes allow. Send it in one of these ways:</p>
<ul>
<li>the header <code>Authorization: Bearer &lt;key&gt;</code> (preferred),</li>
<li>the header <code>x-api-key: &lt;key&gt;</code>,</li>
<li>the field <code>api_key</code>: in the body of a POST or PATCH, in the query of a GET or DELETE.</li>
</ul>
<p>Two different keys in one request are refused. Operators of the marketplace send a secret in the header
<code>${BRAND.header.admin}</code> instead.</p>
<h2 id="errors">Errors</h2>
<p>A refusal is <code>application/problem+json</code> (RFC 9457). Decide by <code>code</code>, which comes from a
closed list; <a href="/problems">each code has its page</a>. If <code>retryable</code> is true, the same request may
succeed later: wait for the seconds in <code>Retry-After</code>, where it is sent.</p>
${answerTable('A problem', problem)}
<p>A field that an operation does not know is refused, never ignored. Answers may gain fields: ignore those that you
do not know.</p>
<h2 id="idempotency">Idempotency</h2>
<p>You can safely retry an operation that takes the header <code>Idempotency-Key</code>. Choose a fresh key for each
new request, a UUID for instance, and send it again with each retry. Within 24 hours, the same key and the same body
from the same caller get the first answer, with the header <code>Idempotency-Replayed: true</code>. Another body is
refused with ${errorLink('idempotency_key_reused')}. While the first request is still in progress, the answer is
${errorLink('idempotency_in_flight')}. An answer that holds a secret is not kept, so its retry gets
${errorLink('idempotency_not_replayable')}.</p>
<p>A GET is safe to repeat. Its answer has an <code>ETag</code>; send it back as <code>If-None-Match</code>, and you
get 304 as long as nothing has changed.</p>
<h2 id="provenance">Provenance</h2>
<p>Every JSON answer, also a refusal, ends with the member <code>provenance</code>. Its <code>receipt</code> is an
Ed25519 signature over the rest of the body. To check one:</p>
<ol>
<li>Cut the member <code>provenance</code> from the body. What remains, as compact JSON with sorted keys (RFC 8785),
is what was signed. In the bytes as served, it is everything before <code>,"provenance":</code>, and a
<code>}</code>.</li>
<li>SHA-256 of those bytes, as <code>sha256:&lt;lower-case hex&gt;</code>, must equal <code>digest</code>.</li>
<li>The signed message is the text <code>&lt;keyId&gt;.&lt;signedAt&gt;.&lt;digest&gt;</code>.</li>
<li>Verify <code>signature</code> (base64url, unpadded) over it with the public key that <code>keyId</code> names:
<a href="${REFERENCE_PATH}/getSigningKey"><code>GET /signing-key</code></a>.</li>
</ol>
<p>Or let the marketplace check it: <a href="${REFERENCE_PATH}/verifyReceipt"><code>POST /verify-receipt</code></a>.
Keys rotate; fetch them again when a <code>keyId</code> is unknown. <a href="/docs/protocol">Wire formats</a> has the
details.</p>
${answerTable('The member provenance', provenance)}`;
}

function errorLink(code: string): Html {
  return html`<a href="/problems/${code}"><code>${code}</code></a>`;
}
