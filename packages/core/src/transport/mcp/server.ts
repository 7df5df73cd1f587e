import { BRAND } from '@agent-marketplace/protocol/brand.ts';
import { isJsonObject, type JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
} from '@modelcontextprotocol/server';
import { ESSENTIALS, SUMMARY } from '../documents/about.ts';
import { callTool } from './call-tool.ts';
import type { Connection } from './connection.ts';
import type { Toolbox } from './describe-tool.ts';
import { renderDescriptions } from './name-tools.ts';
import { completionsOf, prompts } from './prompts.ts';
import type { ResourceShelf } from './resources.ts';

/** The tools and resources, built once per isolate. */
export interface Offer {
  readonly toolbox: Toolbox;
  readonly shelf: ResourceShelf;
}

export const INSTRUCTIONS = [SUMMARY, 'Start with about_marketplace.', ...ESSENTIALS].join(' ');

/** `logging` lets clients set a log level; the server sends no log messages. */
const CAPABILITIES = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} };

/** The lists change with a deployment only, and a former one stays usable: see docs/deploy.md on versions side by side. */
const LIST_TTL_MS = 60 * 60 * 1000;

/** The revisions that know them get them. The tools are listed in another form to a connection with a key. */
function cacheHints({ apiKeys }: Connection) {
  const forAll = { ttlMs: LIST_TTL_MS, cacheScope: 'public' } as const;
  return {
    'prompts/list': forAll,
    'resources/list': forAll,
    'resources/templates/list': forAll,
    'server/discover': forAll,
    'tools/list': apiKeys.length === 0 ? forAll : { ...forAll, cacheScope: 'private' as const },
  };
}

/** A server lives for one message and is not stored: there are no sessions. */
export function createServer(offer: Offer, connection: Connection, params: JsonObject): Server {
  const { baseUrl } = connection.scope.origin;
  const server = new Server(
    { name: BRAND.slug, title: BRAND.platform, version: BRAND.apiVersion, websiteUrl: `${baseUrl}/docs` },
    {
      cacheHints: cacheHints(connection),
      capabilities: CAPABILITIES,
      instructions: connection.scope.renderText(INSTRUCTIONS),
    },
  );
  server.setRequestHandler('tools/list', async () => ({
    tools: (await offer.toolbox.list(connection.apiKeys.length > 0, baseUrl)) as never,
  }));
  server.setRequestHandler('tools/call', async ({ params: { name } }) => {
    const operation = offer.toolbox.find(name);
    if (operation === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name}`);
    // The original params: the library's copy lacks a member named `__proto__`, which must be refused.
    const { arguments: sent, _meta: meta } = params;
    return hideUnexpectedError(connection, () =>
      callTool(operation, connection, objectOr(sent), objectOr(meta)),
    );
  });
  server.setRequestHandler('resources/list', () => ({
    resources: renderDescriptions(offer.shelf.resources(baseUrl), connection.scope.renderText),
  }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: renderDescriptions(offer.shelf.templates(baseUrl), connection.scope.renderText),
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) =>
    hideUnexpectedError(connection, () => readResource(offer.shelf, uri, connection)),
  );
  server.setRequestHandler('prompts/list', () => ({
    prompts: prompts.map(({ text: _, arguments: args, ...prompt }) => ({
      ...prompt,
      arguments: args.map(({ suggestions: _suggestions, ...one }) => one),
    })),
  }));
  server.setRequestHandler('prompts/get', ({ params: { name, arguments: values = {} } }) =>
    getPrompt(name, values, baseUrl),
  );
  server.setRequestHandler('completion/complete', ({ params: { ref, argument } }) => {
    const values = ref.type === 'ref/prompt' ? completionsOf(ref.name, argument.name, argument.value) : [];
    return { completion: { values, total: values.length, hasMore: false } };
  });
  return server;
}

async function readResource(shelf: ResourceShelf, uri: string, connection: Connection) {
  const found = await shelf.read(uri, connection);
  switch (found.kind) {
    case 'missing':
      throw new ResourceNotFoundError(uri);
    case 'refused':
      throw new ProtocolError(ProtocolErrorCode.InternalError, String(found.problem.title), found.problem);
    case 'text':
      return { contents: [{ uri, mimeType: found.mimeType, text: found.text }] };
  }
}

function getPrompt(name: string, values: Readonly<Record<string, string>>, baseUrl: string) {
  const prompt = prompts.find((one) => one.name === name);
  if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown prompt: ${name}`);
  const missing = prompt.arguments.filter((one) => one.required && !values[one.name]).map((one) => one.name);
  if (missing.length > 0) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Missing arguments: ${missing.join(', ')}`);
  }
  const text = prompt.text(values, baseUrl);
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text } }],
  };
}

/** Logs an unexpected error and hides its text, which the library would send to the client. */
async function hideUnexpectedError<T>({ scope }: Connection, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProtocolError) throw error;
    scope.runtime.ports.log.error('mcp_broke', {
      requestId: scope.origin.requestId,
      message: error instanceof Error ? error.message : String(error),
      stack: error instanceof Error ? error.stack : undefined,
    });
    throw new ProtocolError(ProtocolErrorCode.InternalError, 'Internal error');
  }
}

function objectOr(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
