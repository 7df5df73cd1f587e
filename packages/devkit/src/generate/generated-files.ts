import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { registryEntry } from '@agent-marketplace/core/transport/documents/registry-entry.ts';
import {
  operatorOpenApiDocument,
  publicOpenApiDocument,
} from '@agent-marketplace/core/transport/openapi/document.ts';
import { heldDataPage } from './held-data-page.ts';
import { printJson } from './print-json.ts';
import { sdkModule } from './sdk-module.ts';

/** Stands for wherever the marketplace is deployed. */
const EXAMPLE_BASE_URL = 'https://marketplace.example/api';

/** What is derived from the operations and kept in the repository: text by path from its root. */
export function generatedFiles(operations: readonly AnyOperation[]): ReadonlyMap<string, string> {
  const options = { baseUrl: EXAMPLE_BASE_URL };
  return new Map([
    ['docs/held-data.md', heldDataPage()],
    ['docs/openapi.json', `${printJson(publicOpenApiDocument(operations, options))}\n`],
    ['docs/openapi-operator.json', `${printJson(operatorOpenApiDocument(operations, options))}\n`],
    ['docs/server.json', `${printJson(registryEntry(EXAMPLE_BASE_URL))}\n`],
    ['packages/sdk/src/generated/api.ts', sdkModule(operations)],
  ]);
}
