import { specTypeSchemas } from '@modelcontextprotocol/server';
import type { GoodMessage } from './message.ts';

const REQUESTS = {
  'completion/complete': specTypeSchemas.CompleteRequest,
  initialize: specTypeSchemas.InitializeRequest,
  'logging/setLevel': specTypeSchemas.SetLevelRequest,
  'prompts/get': specTypeSchemas.GetPromptRequest,
  'prompts/list': specTypeSchemas.ListPromptsRequest,
  'resources/list': specTypeSchemas.ListResourcesRequest,
  'resources/read': specTypeSchemas.ReadResourceRequest,
  'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
  'tools/call': specTypeSchemas.CallToolRequest,
  'tools/list': specTypeSchemas.ListToolsRequest,
} as const;

/**
 * The first fault in the params of a message, or null. JSON-RPC has a code for it (-32602); the library would report
 * most faults as internal errors.
 */
export function checkParams({ method, message }: GoodMessage): string | null {
  if (method === null || !Object.hasOwn(REQUESTS, method)) return null;
  const checked = REQUESTS[method as keyof typeof REQUESTS]['~standard'].validate(message);
  const [issue] = 'issues' in checked ? (checked.issues ?? []) : [];
  if (issue === undefined) return null;
  const path = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  return `Invalid params: ${path}: ${issue.message}`;
}
