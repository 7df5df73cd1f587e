import { html } from 'hono/html';
import { type ErrorDefinition, Refusal } from '../../kernel/errors.ts';
import type { AnyOperation } from '../../kernel/operation/operation.ts';
import { problemBody, STATUS_OF_KIND } from '../http/problem.ts';
import { allErrors, errorsOf } from '../openapi/errors.ts';
import { type Html, prose, renderPage, table } from './html.ts';

/** The list of every error. */
export function problemsPage(operations: readonly AnyOperation[]): Promise<string> {
  return renderPage({
    title: 'Errors',
    description: 'Every error the marketplace answers with.',
    up: '',
    main: html`<h1>Errors</h1>
<p>A refusal is a problem as in RFC 9457, and its <code>code</code> is one of these. See
<a href="docs#errors">how errors are answered</a>.</p>
${table({
  caption: 'All error codes',
  columns: ['Code', 'Status', 'Retry', 'Meaning'],
  rows: allErrors(operations).map((error) => [
    html`<a href="problems/${error.code}"><code>${error.code}</code></a>`,
    String(STATUS_OF_KIND[error.kind]),
    error.retryable ? 'yes' : 'no',
    prose(error.title),
  ]),
})}`,
  });
}

/** The page that the `type` of a problem links to. Null: no error has this code. */
export function problemPage(
  code: string,
  operations: readonly AnyOperation[],
  baseUrl: string,
): Promise<string> | null {
  const error = allErrors(operations).find((one) => one.code === code);
  if (error === undefined) return null;
  const status = STATUS_OF_KIND[error.kind];
  return renderPage({
    title: error.code,
    description: error.title,
    up: '../',
    main: html`<p><a href="../problems">All errors</a></p>
<h1>${prose(error.title)}</h1>
<dl>
<dt>Code</dt><dd><code>${error.code}</code></dd>
<dt>HTTP status</dt><dd>${status} (${error.kind.replaceAll('_', ' ')})</dd>
<dt>What to do</dt><dd>${prose(error.remedy)}</dd>
<dt>Retry</dt><dd>${error.retryable ? 'The same request may succeed later.' : 'Not without changing something.'}</dd>
</dl>
<h2>Which operations answer it</h2>
${answeredBy(error, operations)}
<h2>Example</h2>
<pre tabindex="0"><code>${JSON.stringify(problemBody(new Refusal(error), { requestId: EXAMPLE_ID, baseUrl }), null, 2)}</code></pre>
<p>Every problem also has a signed <a href="../docs#provenance">provenance</a>.</p>`,
  });
}

export function unknownProblemPage(): Promise<string> {
  return renderPage({
    title: 'Unknown error',
    description: 'There is no error with this code.',
    up: '../',
    main: html`<h1>Unknown error</h1>
<p>The marketplace has no error with this code. See <a href="../problems">all errors</a>.</p>`,
  });
}

const EXAMPLE_ID = '00000000-0000-4000-8000-000000000000';

function answeredBy(error: ErrorDefinition, operations: readonly AnyOperation[]): Html {
  const answering = operations.filter((operation) =>
    errorsOf(operation).some(({ code }) => code === error.code),
  );
  if (answering.length === 0) return html`<p>It is not tied to particular operations.</p>`;
  if (answering.length === operations.length) {
    return html`<p>Every operation; see <a href="../docs">the documentation</a>.</p>`;
  }
  return html`<ul>${answering.map(
    (operation) =>
      html`<li><a href="../docs#${operation.name}">${operation.name}</a> <code>${route(operation)}</code></li>
`,
  )}</ul>`;
}

/** `GET /agents`, in the markup of every route. */
function route({ http }: AnyOperation): Html {
  return html`<span class="method ${http.method}">${http.method.toUpperCase()}</span>${http.path}`;
}
