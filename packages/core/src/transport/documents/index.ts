import { STANDARD_DOCUMENTS } from '../../kernel/documents/standard-documents.ts';
import { operatorOpenApiDocument, publicOpenApiDocument } from '../openapi/document.ts';
import { agentCard } from './agent-card.ts';
import type { PublicDocument } from './document.ts';
import { llmsText } from './llms-text.ts';
import { problemsJson } from './problems-json.ts';
import { signAgentCard } from './sign-agent-card.ts';

export { buildDocument, documentUrl, type PublicDocument } from './document.ts';

/** The documents for programs: served by the API, and as resources by the MCP server. */
export const publicDocuments: readonly PublicDocument[] = [
  {
    path: '/llms.txt',
    name: 'llms.txt',
    title: 'The marketplace in one page',
    description: 'What it is, how to start, every tool and every operation, for a language model to read.',
    mimeType: 'text/plain; charset=utf-8',
    build: llmsText,
  },
  {
    path: STANDARD_DOCUMENTS.openApi,
    standard: 'openApi',
    name: 'openapi.json',
    title: 'OpenAPI document',
    description: 'The REST interface with its schemas. Long.',
    mimeType: 'application/json',
    build: (operations, baseUrl) => publicOpenApiDocument(operations, { baseUrl }),
  },
  {
    path: STANDARD_DOCUMENTS.operatorOpenApi,
    standard: 'operatorOpenApi',
    name: 'openapi-operator.json',
    title: 'OpenAPI document for operators',
    description: 'What only those who run the marketplace may call.',
    mimeType: 'application/json',
    build: (operations, baseUrl) => operatorOpenApiDocument(operations, { baseUrl }),
  },
  {
    path: STANDARD_DOCUMENTS.agentCard,
    standard: 'agentCard',
    name: 'agent-card.json',
    title: 'Agent card',
    description: 'What the marketplace can do and where, for agents that discover it.',
    mimeType: 'application/json',
    build: agentCard,
    sign: signAgentCard,
  },
  {
    path: '/problems.json',
    name: 'problems.json',
    title: 'Errors',
    description: 'Every error by its code: what it means, what to do, and which operations answer it.',
    mimeType: 'application/json',
    build: problemsJson,
  },
];
