import { html } from 'hono/html';
import type { AnyOperation, Auth } from '../../kernel/operation/operation.ts';
import { STATUS_OF_KIND } from '../http/problem.ts';
import { errorsOf } from '../openapi/errors.ts';
import { type WireField, wireFields } from '../openapi/fields.ts';
import { inputSchema, outputSchema, type SchemaComponents } from '../openapi/json-schema.ts';
import { curlExample } from './example.ts';
import { type Html, prose, table } from './html.ts';
import { type FieldRow, fieldRow, fieldRows, nestedRows } from './schema-text.ts';

const AUTH_TEXT: Readonly<Record<Auth, string>> = {
  none: 'No API key needed.',
  optional: 'API key optional.',
  agent: 'Needs an API key.',
  seller: 'Needs the API key of a seller.',
  operator: 'For the operator of the marketplace.',
};

/** `GET /agents`, in the markup of every route. */
export function route({ http }: AnyOperation): Html {
  return html`<span class="method ${http.method}">${http.method.toUpperCase()}</span>${http.path}`;
}

/** The complete documentation of one operation. */
export function operationSection(operation: AnyOperation, baseUrl: string): Html {
  const components: SchemaComponents = {};
  const fields = wireFields(operation, inputSchema(operation, components));
  const output = fieldRows(outputSchema(operation, components), components);
  return html`<section aria-labelledby="${operation.name}">
<h3 id="${operation.name}"><a href="#${operation.name}">${operation.name}</a></h3>
<p class="route"><code>${route(operation)}</code></p>
<p>${prose(operation.summary)}${operation.description ? html` ${prose(operation.description)}` : ''}</p>
<p class="muted">${notes(operation)}</p>
${fields.length > 0 ? requestTable(operation, fields, components) : ''}
${table({
  caption: `${operation.name}: answer, status ${operation.http.status}`,
  columns: ['Field', 'Type', 'Rules', 'Always there', 'Description'],
  rows: [...output.map((row) => [...outputCells(row)]), PROVENANCE_ROW],
})}
${table({
  caption: `${operation.name}: errors`,
  columns: ['Code', 'Status', 'Meaning'],
  rows: errorsOf(operation)
    .map((error) => ({ ...error, status: STATUS_OF_KIND[error.kind] }))
    .sort((a, b) => a.status - b.status)
    .map(({ code, status, title }) => [
      html`<a href="problems/${code}"><code>${code}</code></a>`,
      String(status),
      prose(title),
    ]),
})}
<h4>Example</h4>
<pre tabindex="0"><code>${curlExample(operation, fields, components, baseUrl)}</code></pre>
</section>
`;
}

function notes(operation: AnyOperation): Html {
  const { auth, replay, cache, rate } = operation;
  const replays = replay === undefined ? '' : html` Takes an <a href="#idempotency">Idempotency-Key</a>.`;
  const fresh = cache && cache.freshSeconds > 0 ? ` May be up to ${cache.freshSeconds} seconds old.` : '';
  return html`<a href="#authentication">${AUTH_TEXT[auth as Auth]}</a>${replays}${fresh} Rate policy: ${rate}.`;
}

function requestTable(
  operation: AnyOperation,
  fields: readonly WireField[],
  components: SchemaComponents,
): Html {
  const rows = fields.flatMap((field) => {
    const place = field.header === null ? field.in : `${field.in}, or header ${field.header}`;
    const own = fieldRow(field.wire, field.schema, field.required);
    return [own, ...nestedRows(field.schema, components, field.wire)].map((row) => [
      ...inputCells(row, place),
    ]);
  });
  return table({
    caption: `${operation.name}: request`,
    columns: ['Field', 'Where', 'Type', 'Rules', 'Required', 'Description'],
    rows,
  });
}

function inputCells({ name, type, rules, required, description }: FieldRow, place: string) {
  return [html`<code>${name}</code>`, place, type, prose(rules), required ? 'yes' : 'no', prose(description)];
}

function outputCells({ name, type, rules, required, description }: FieldRow) {
  return [html`<code>${name}</code>`, type, prose(rules), required ? 'yes' : 'no', prose(description)];
}

const PROVENANCE_ROW = [
  html`<code>provenance</code>`,
  'object',
  '',
  'yes',
  html`The signed receipt of this answer; see <a href="#provenance">Provenance</a>.`,
];
