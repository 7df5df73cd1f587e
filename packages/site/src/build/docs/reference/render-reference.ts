import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '../read-sources.ts';
import type { OpenApi } from './openapi.ts';
import { operationPage, type Route } from './operation-page.ts';
import { overviewPage } from './overview-page.ts';
import type { ReferencePage } from './reference-page.ts';

export interface Reference {
  readonly overview: ReferencePage;
  readonly operations: readonly ReferencePage[];
  readonly routesByArea: ReadonlyMap<string, readonly Route[]>;
}

export function readOpenApi(): OpenApi {
  return JSON.parse(readFileSync(join(REPOSITORY, 'docs/openapi.json'), 'utf8')) as OpenApi;
}

/** One page for what holds everywhere, and one for each operation, area by area. */
export function renderReference(document: OpenApi): Reference {
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): Route => ({ method, path, operation })),
  );
  const byArea = Map.groupBy(routes, ({ operation }) => operation.tags[0] ?? '');
  const routesByArea = new Map(document.tags.map(({ name }) => [name, byArea.get(name) ?? []]));
  return {
    overview: overviewPage(document, routesByArea),
    operations: [...routesByArea.values()].flat().map((route) => operationPage(document, route)),
    routesByArea,
  };
}
