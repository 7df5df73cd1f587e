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

export function readOpenApi(): OpenApi[] {
  return FILES.map((file) => JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8')) as OpenApi);
}

/** One page for what holds everywhere, and one for each operation, area by area. */
export function renderReference(documents: readonly OpenApi[]): Reference {
  const routes = documents.flatMap((document) =>
    Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): Route => ({ document, method, path, operation })),
    ),
  );
  const byArea = Map.groupBy(routes, ({ operation }) => operation.tags[0] ?? '');
  const areas = new Set(documents.flatMap(({ tags }) => tags.map(({ name }) => name)));
  const routesByArea = new Map([...areas].map((name) => [name, byArea.get(name) ?? []]));
  const [first] = documents;
  const rowsOf = (name: string) => (first ? schemaRows(first, first.components.schemas[name] ?? {}) : []);
  return {
    overview: overviewPage(routesByArea, { problem: rowsOf('Problem'), provenance: rowsOf('Provenance') }),
    operations: [...routesByArea.values()].flat().map(operationPage),
    routesByArea,
  };
}
