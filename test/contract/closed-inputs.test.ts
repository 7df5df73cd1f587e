import type { AnyOperation } from '@agent-marketplace/core/kernel/operation/operation.ts';
import { apiOperations } from '@agent-marketplace/core/operations/api.ts';
import { documentedOperations } from '@agent-marketplace/core/operations/documented.ts';
import {
  changedInput,
  type InputPart,
  inputParts,
  partsOf,
  pathInError,
} from '@agent-marketplace/core/testing/fixtures/input-parts.ts';
import { createMcpFace } from '@agent-marketplace/core/testing/marketplace/mcp-face.ts';
import { readSigned } from '@agent-marketplace/core/testing/marketplace/read-signed.ts';
import { argumentNames, isTool, type ToolOperation } from '@agent-marketplace/core/transport/mcp/names.ts';
import { toolInputSchema } from '@agent-marketplace/core/transport/mcp/tool-schema.ts';
import { openApiDocument } from '@agent-marketplace/core/transport/openapi/document.ts';
import type { JsonSchema } from '@agent-marketplace/core/transport/openapi/json-schema.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { send, wireName } from './requests.ts';
import { expectNothingWritten, goodRequest, tryOperation } from './try-operation.ts';
import { createWorld, type World } from './world.ts';

// What an object in an input does not know is refused by name, over REST and over MCP: a misspelt member must not
// pass for one that was left out. Derived from the schemas; what stays open is named here, with its reason.

const SELLERS = 'the seller says what is in it';
const ANY_QUERY = 'the inputSchema of the listing says what is in it';
const NAMES_OF_ITS_OWN = 'a map: its members are named by who sends it';

/** By path; `kibibytes` is how large it may be, where no other limit of the request comes first. */
const OPEN: Readonly<Record<string, { readonly why: string; readonly kibibytes?: number }>> = {
  'registerAgent.utm': { why: NAMES_OF_ITS_OWN },
  'registerSeller.utm': { why: NAMES_OF_ITS_OWN },
  'createListing.preview': { why: SELLERS, kibibytes: 16 },
  'createListing.inputSchema': { why: SELLERS, kibibytes: 16 },
  'createListing.outputSchema': { why: SELLERS, kibibytes: 16 },
  'createListing.exampleQuery': { why: ANY_QUERY, kibibytes: 16 },
  'updateListing.preview': { why: SELLERS, kibibytes: 16 },
  'listHealthData.preview': { why: SELLERS, kibibytes: 16 },
  'listHealthData.demographics': { why: SELLERS, kibibytes: 4 },
  'purchaseListing.query': { why: ANY_QUERY, kibibytes: 64 },
  'makeOffer.query': { why: ANY_QUERY, kibibytes: 64 },
  'answerDelivery.data': { why: 'the deliverable: the outputSchema of the listing says what is in it' },
  'verifyReceipt.receipt': { why: 'receipts and statements are sent as they came, with all that is in them' },
  'verifyReceipt.payload': { why: 'any JSON: the body that a receipt is of' },
  'challengePayer.parameters': { why: NAMES_OF_ITS_OWN, kibibytes: 64 },
  'queryListing.parameters': { why: NAMES_OF_ITS_OWN },
  'queryListingWithBody.query': { why: ANY_QUERY },
  'queryTab.query': { why: ANY_QUERY },
};

const UNKNOWN = 'not_a_field';

const holdsMembers = ({ type, enum: values, const: one }: JsonSchema) =>
  type === undefined ? values === undefined && one === undefined : [type].flat().includes('object');
const isClosed = ({ schema }: InputPart) => schema.additionalProperties === false;
const nameOf = (operation: AnyOperation, { path }: InputPart) => `${operation.name}.${path.join('.')}`;

/** Every object in the input, by where it is. */
const objectsOf = (operation: AnyOperation) =>
  inputParts(operation).filter(({ schema }) => holdsMembers(schema));

const objects = documentedOperations.flatMap((operation) =>
  objectsOf(operation).map((part) => [nameOf(operation, part), operation, part] as const),
);
const closed = objects.filter(([, , part]) => isClosed(part));
const open = objects.filter(([, , part]) => !isClosed(part));

let world: World;
let face: ReturnType<typeof createMcpFace>;
beforeAll(async () => {
  world = await createWorld();
  face = createMcpFace(world.market);
});

/** A good request but for one member of that object. */
async function misspelt(operation: AnyOperation, { path }: InputPart) {
  const good = await goodRequest(world, operation);
  const change = (value: unknown) => ({ ...(value as object | undefined), [UNKNOWN]: 'x' });
  return { ...good, input: changedInput(operation, good.input, path, change) };
}

describe('an object in an input', () => {
  it('is closed, or named above with the reason why it is not', () => {
    expect([...new Set(open.map(([name]) => name))].sort()).toEqual(Object.keys(OPEN).sort());
  });

  it('is closed in more than one operation', () => {
    expect(new Set(closed.map(([, { name }]) => name)).size).toBeGreaterThan(3);
  });

  // Those of the door and of pay-per-query are served by other Workers, which this suite does not ask.
  it('is not closed where nobody asks below', () => {
    expect(closed.filter(([, operation]) => !apiOperations.includes(operation))).toEqual([]);
  });
});

describe('a member that a closed one does not know is refused by its path, and nothing changes', () => {
  it.each(closed)('%s', async (_, operation, part) => {
    const sent = await misspelt(operation, part);
    const path = `${pathInError(part.path, wireName(operation, part.path[0] ?? ''))}.${UNKNOWN}`;
    await expectNothingWritten(world, async () => {
      const { status, code, body, text } = await tryOperation(world, operation, sent);
      expect([status, code], text).toEqual([400, 'validation_failed']);
      expect(body.errors).toContainEqual({ message: 'This field is not known here.', path });
    });
  });

  const ofTools = closed.flatMap(([name, operation, part]) =>
    isTool(operation) ? [[name, operation, part] as const] : [],
  );
  it.each(ofTools)('%s, as a tool', async (_, operation: ToolOperation, part) => {
    const { input, apiKey } = await misspelt(operation, part);
    const { toWire } = argumentNames(operation);
    const args = Object.fromEntries(Object.entries(input).map(([field, value]) => [toWire(field), value]));
    const path = `${pathInError(part.path, toWire(part.path[0] ?? ''))}.${UNKNOWN}`;
    await expectNothingWritten(world, async () => {
      const key = apiKey === undefined ? {} : { api_key: apiKey };
      const { isError, structuredContent } = await face.callTool(operation.mcp.tool, { ...args, ...key });
      const { body, text } = await readSigned(new Response(JSON.stringify(structuredContent)));
      expect([isError, body.code], text).toEqual([true, 'validation_failed']);
      expect(body.errors).toContainEqual({ message: 'This field is not known here.', path });
    });
  });
});

describe('and the documents say so', () => {
  const { paths, components } = openApiDocument(documentedOperations, { baseUrl: 'https://example.com/api' });

  it.each(closed)('%s', (_, operation, { path: [field = '', ...rest] }) => {
    const { path, method } = operation.http;
    const { requestBody } = (paths[path]?.[method] ?? {}) as { requestBody: RequestBody };
    const { schema } = requestBody.content['application/json'];
    const { schemas } = components as { schemas: Record<string, JsonSchema> };
    expect(additionalAt(schema, schemas, [wireName(operation, field), ...rest])).toEqual([false]);
    if (!isTool(operation) || operation.mcp.unlisted?.includes(field)) return;
    const inTool = [argumentNames(operation).toWire(field), ...rest];
    expect(additionalAt(toolInputSchema(operation, false), {}, inTool)).toEqual([false]);
  });

  interface RequestBody {
    readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
  }

  /** What the objects at a path say of further members. */
  function additionalAt(schema: JsonSchema, schemas: Record<string, JsonSchema>, path: readonly string[]) {
    return partsOf(schema, schemas)
      .filter((part) => part.path.join('.') === path.join('.') && holdsMembers(part.schema))
      .map((part) => part.schema.additionalProperties);
  }
});

describe('an open one', () => {
  it.each(open)('%s: keeps what it was not asked for', async (_, operation, part) => {
    const [field = ''] = part.path;
    const { input } = await misspelt(operation, part);
    const schema = operation.input.shape[field] as { safeParse(value: unknown): { data?: unknown } };
    expect(schema.safeParse(input[field]).data).toMatchObject({ [UNKNOWN]: 'x' });
  });

  const limited = open.flatMap(([name, operation, part]) => {
    const { kibibytes } = OPEN[name] ?? {};
    return kibibytes === undefined ? [] : [[name, operation, part, kibibytes] as const];
  });
  it.each(limited)(
    '%s: has a largest, which its description tells',
    async (_, operation, part, kibibytes) => {
      expect(part.schema.description).toContain(`at most ${kibibytes} KiB`);
      const [field = ''] = part.path;
      const schema = operation.input.shape[field] as { safeParse(value: unknown): { success: boolean } };
      const ofBytes = (bytes: number) => ({ x: 'x'.repeat(bytes - '{"x":""}'.length) });
      expect(schema.safeParse(ofBytes(kibibytes * 1024)).success).toBe(true);
      const good = await goodRequest(world, operation);
      const sent = { ...good, input: { ...good.input, [field]: ofBytes(kibibytes * 1024 + 1) } };
      await expectNothingWritten(world, async () => {
        const { body } = await readSigned(await send(world.market, operation, sent));
        const path = wireName(operation, field);
        expect(body.errors).toEqual([{ message: `At most ${kibibytes * 1024} bytes as JSON.`, path }]);
      });
    },
  );
});
