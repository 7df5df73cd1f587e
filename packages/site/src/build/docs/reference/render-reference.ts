import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../read-sources.ts';
import type { OpenApi } from './openapi.ts';
import { operationPage, type Route } from './operation-page.ts';
import { overviewPage } from './overview-page.ts';
import type { ReferencePage } from './reference-page.ts';
import { schemaRows } from './schema-rows.ts';

export interface Reference {
  readonly overview: ReferencePage;
  readonly operations: readonly ReferencePage[];
  readonly routesByArea: ReadonlyMap<string, readonly Route[]>;
}

/** What anybody may call, then what operators may. */
const FILES = ['docs/openapi.json', 'docs/openapi-operator.json'];

const FOR_OPERATORS = ', for operators';

export function readOpenApi(): OpenApi[] {
  return FILES.map((file) => JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8')) as OpenApi);
}

/** One page for what holds everywhere, and one for each operation, area by area. */
export function renderReference(documents: readonly OpenApi[]): Reference {
  const routesByArea = new Map(documents.flatMap((document, index) => areasOf(document, index > 0)));
  const [first] = documents;
  const rowsOf = (name: string) => (first ? schemaRows(first, first.components.schemas[name] ?? {}) : []);
  return {
    overview: overviewPage(routesByArea, { problem: rowsOf('Problem'), provenance: rowsOf('Provenance') }),
    operations: [...routesByArea.values()].flat().map(operationPage),
    routesByArea,
  };
}

/** In the order of the document's tags. */
function areasOf(document: OpenApi, isForOperators: boolean): [string, Route[]][] {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ document, method, path, operation })),
  );
  return document.tags.map(({ name }) => {
    const area = isForOperators ? name + FOR_OPERATORS : name;
    const ofArea = routes.filter(({ operation }) => operation.tags[0] === name);
    return [area, ofArea.map((route) => ({ ...route, area }))];
  });
}
