import { html, raw } from 'hono/html';
import type { Html } from '../frame.ts';
import { sampleFigure } from '../sample-figure.ts';
import { answerTable, prose, requestTable, table } from './markup.ts';
import { type Answer, type OpenApi, type Operation, type Parameter, resolve } from './openapi.ts';
import { REFERENCE_PATH, type ReferencePage } from './reference-page.ts';
import { curlSample, exampleOf } from './request-sample.ts';
import { fieldRows, type SchemaRow, schemaRows } from './schema-rows.ts';

/** An operation with where it is called, and the heading that it is listed under. */
export interface Route {
  readonly area: string;
  readonly document: OpenApi;
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** `GET /agents`, in the markup of every route. */
export function routeText({ method, path }: Route): Html {
  return html`<code><span class="method">${method.toUpperCase()}</span> ${path}</code>`;
}

/** The complete documentation of one operation. */
export function operationPage(route: Route): ReferencePage {
  const { document, operation } = route;
  const { operationId, summary, description = '' } = operation;
  const parameters = (operation.parameters ?? []).map((one) => resolve<Parameter>(document, one));
  const rows = requestRows(document, operation, parameters);
  const content = html`<h1>${operationId}</h1>
<p class="route">${routeText(route)}</p>
<p class="lead">${prose(summary)}</p>
${description === '' ? '' : html`<p>${prose(description)}</p>`}
<p class="fine">${accessText(operation)}</p>
<h2 id="request">Request</h2>
${rows.length > 0 ? requestTable(rows) : html`<p>It takes nothing.</p>`}
${raw(sampleFigure(curlSample(document, { ...route, parameters }), 'sh'))}
<h2 id="answer">Answer</h2>
${answers(document, operation)}
<h2 id="errors">Errors</h2>
${errorsTable(document, operation)}`;
  return {
    path: `${REFERENCE_PATH}/${operationId}`,
    title: operationId,
    description: summary,
    content: String(content),
    area: areaPath(route.area),
    searchText: `${route.method} ${route.path} ${summary} ${description}`,
  };
}

/** Where the operations of an area are listed. */
export function areaPath(area: string): string {
  return `${REFERENCE_PATH}#area-${area.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`;
}

function accessText({ security = [] }: Operation): Html | string {
  const authentication = html`<a href="${REFERENCE_PATH}#authentication">API key</a>`;
  const scopes = [...new Set(security.flatMap((one) => Object.values(one).flat()))];
  const needed =
    scopes.length > 0 ? html` with the scope ${scopes.map((scope) => html`<code>${scope}</code> `)}` : '';
  if (security.length === 0) return 'No API key needed.';
  if (security.some((one) => 'operator' in one)) return 'For the operator of the marketplace.';
  const isOptional = security.some((one) => Object.keys(one).length === 0);
  return isOptional ? html`${authentication} optional${needed}` : html`Needs an ${authentication}${needed}`;
}

function requestRows(
  document: OpenApi,
  { requestBody }: Operation,
  parameters: readonly Parameter[],
): (SchemaRow & { place: string })[] {
  const ofParameters = parameters.flatMap(({ name, in: place, required = false, description, schema }) =>
    fieldRows(document, name, description === undefined ? schema : { ...schema, description }, required).map(
      (row) => ({
        ...row,
        place,
      }),
    ),
  );
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const ofBody = body === undefined ? [] : schemaRows(document, body);
  return [...ofParameters, ...ofBody.map((row) => ({ ...row, place: 'body' }))];
}

function answers(document: OpenApi, { responses }: Operation): Html {
  const good = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  return html`${good.map(([status, response]) => {
    const { content = {}, description } = resolve<Answer>(document, response);
    const [type, media] = Object.entries(content)[0] ?? [];
    if (type === undefined || media?.schema === undefined)
      return html`<p>Status ${status}: ${prose(description)}</p>${fileExamples(content)}`;
    const rows = schemaRows(document, media.schema);
    const example = exampleOf(document, media);
    return html`${answerTable(`Status ${status}, ${type}`, rows)}
${type.includes('json') && example !== undefined ? raw(sampleFigure(JSON.stringify(example, null, 2), 'json')) : ''}`;
  })}`;
}

/** What files of text begin with. */
function fileExamples(content: NonNullable<Answer['content']>): Html[] {
  return Object.entries(content).flatMap(([type, { example }]) =>
    typeof example === 'string'
      ? [
          html`<p>${type}, for example:</p>
${raw(sampleFigure(example, 'plaintext'))}`,
        ]
      : [],
  );
}

const ERROR_LINE = /^`(\w+)`: (.*)$/gm;

function errorsTable(document: OpenApi, { responses }: Operation): Html {
  const rows = Object.entries(responses)
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([status, response]) =>
      [...resolve<Answer>(document, response).description.matchAll(ERROR_LINE)].map(
        ([, code = '', title = '']) => [
          html`<a href="/problems/${code}"><code>${code}</code></a>`,
          status,
          prose(title),
        ],
      ),
    );
  return table({ caption: 'Errors', columns: ['Code', 'Status', 'Meaning'], rows });
}
