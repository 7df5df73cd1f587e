import { openApiDocument } from '../openapi/document.ts';
import { agentCard } from './agent-card.ts';
import type { PublicDocument } from './document.ts';
import { llmsText } from './llms-text.ts';
import { problemsJson } from './problems-json.ts';

export type { PublicDocument } from './document.ts';

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
    path: '/openapi.json',
    name: 'openapi.json',
    title: 'OpenAPI document',
    description: 'The whole REST interface with its schemas. Long.',
    mimeType: 'application/json',
    build: (operations, baseUrl) => openApiDocument(operations, { baseUrl }),
  },
  {
    path: '/.well-known/agent-card.json',
    name: 'agent-card.json',
    title: 'Agent card',
    description: 'What the marketplace can do and where, for agents that discover it.',
    mimeType: 'application/json',
    build: agentCard,
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
