import * as z from 'zod';

const members = z.record(z.string(), z.unknown());
const schemaOf = members.nullable().default(null);

/** Where a member of a query goes in the upstream's request. */
const parameter = z.strictObject({
  /** The name in the query that a buyer sends. */
  member: z.string().min(1),
  /** The name in the upstream's request. */
  name: z.string().min(1),
  in: z.enum(['path', 'query', 'header']),
  style: z.enum(['simple', 'form', 'spaceDelimited', 'pipeDelimited', 'deepObject', 'json']),
  explode: z.boolean(),
});

/** Sent with every request; `value` is public, as `accept` or a version. */
const fixedPart = z.strictObject({
  in: z.enum(['query', 'header']),
  name: z.string().min(1),
  value: z.string(),
});

/** What only the gateway and the upstream know. */
const credential = z.strictObject({
  in: z.enum(['query', 'header']),
  name: z.string().min(1),
  /** Before the secret, such as `Bearer `. */
  prefix: z.string().default(''),
  /** `basic`: the secret is `user:password`, and is sent in base64. */
  encoding: z.enum(['plain', 'basic']).default('plain'),
  /** The environment variable that holds it. */
  env: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
});

const httpUpstream = z.strictObject({
  kind: z.literal('http'),
  method: z.enum(['get', 'post', 'put', 'patch', 'delete']),
  /** With a place for each path parameter: `https://api.example/v1/cities/{id}`. */
  url: z.string().min(1),
  parameters: z.array(parameter).default([]),
  fixed: z.array(fixedPart).default([]),
  credentials: z.array(credential).default([]),
  /** `members`: these of the query make the body. `member`: this one of the query is the body. */
  body: z
    .strictObject({
      encoding: z.enum(['json', 'form']),
      members: z.array(z.string()).nullable().default(null),
      member: z.string().nullable().default(null),
    })
    .nullable()
    .default(null),
  /** What a good answer is: an object, or a list or a text that becomes the member `items` or `text` of one. */
  answer: z.enum(['object', 'items', 'text']).default('object'),
});

const mcpUpstream = z.strictObject({
  kind: z.literal('mcp'),
  url: z.string().min(1),
  tool: z.string().min(1),
  credentials: z.array(credential).default([]),
  /** What of a good answer is sold: its structured content, or its one text, as it is or read as JSON. */
  answer: z.enum(['structured', 'json', 'items', 'text']).default('structured'),
});

const gatewayListing = z.strictObject({
  title: z.string().default(''),
  upstream: z.discriminatedUnion('kind', [httpUpstream, mcpUpstream]),
  inputSchema: schemaOf,
  outputSchema: schemaOf,
  timeoutMs: z.int().min(100).max(28_000).default(25_000),
});

/** The gateway's file. It names credentials and holds none. */
export const gatewayConfig = z.strictObject({
  /** The marketplace's API root. */
  marketplace: z.string().min(1),
  callbackUrl: z.string().min(1),
  sellerId: z.string().min(1),
  /** By the listing's id. */
  listings: z.record(z.string(), gatewayListing),
});

export type GatewayConfig = z.output<typeof gatewayConfig>;
export type GatewayListing = z.output<typeof gatewayListing>;
export type Upstream = GatewayListing['upstream'];
export type HttpUpstream = z.output<typeof httpUpstream>;
export type McpUpstream = z.output<typeof mcpUpstream>;
export type UpstreamParameter = z.output<typeof parameter>;
export type Credential = z.output<typeof credential>;
