import { createHash, createPublicKey, verify } from 'node:crypto';

// A client as a reader of the interface specification writes it: everything here is from its text alone.

// biome-ignore lint/suspicious/noExplicitAny: the client knows the fields from the document only.
export type Json = any;

/** How a request reaches the service, with a path below {base_url}. */
export type Send = (
  method: string,
  path: string,
  body: string | null,
  headers: Record<string, string>,
) => Promise<Response>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  /** With its provenance. */
  readonly body: Json;
  readonly text: string;
}

export type Client = ReturnType<typeof createClient>;

export function createClient(send: Send) {
  let keys: Map<string, string> | null = null;

  async function fetchJson(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const json = body === undefined ? null : JSON.stringify(body);
    const type = json === null ? {} : { 'content-type': 'application/json' };
    const response = await send(method, path, json, { ...type, ...headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, body: parse(text) };
  }

  async function publicKeyOf(keyId: string): Promise<string> {
    if (!keys?.has(keyId)) {
      const { body } = await fetchJson('GET', '/signing-key');
      keys = new Map([[body.keyId, body.publicKeyPem]]);
    }
    const pem = keys.get(keyId);
    if (pem === undefined) throw new Error(`GET /signing-key has no ${keyId}.`);
    return pem;
  }

  /** Resources, Provenance receipt: the digest over the response JSON without the provenance key, and the signature. */
  async function checkProvenance(
    { provenance, ...body }: Json,
    message = JSON.stringify(body),
  ): Promise<void> {
    if (provenance === undefined) throw new Error(`No provenance: ${message}`);
    const { alg, keyId, signedAt, digest, signature } = provenance.receipt;
    const actual = sha256(message);
    if (alg !== 'ed25519' || digest !== actual) throw new Error(`The digest is not that of ${message}`);
    await checkSignature({ keyId, signedAt, digest, signature });
  }

  async function checkSignature({ keyId, signedAt, digest, signature }: Json): Promise<void> {
    const signed = Buffer.from(`${keyId}.${signedAt}.${digest}`);
    const isGood = verify(
      null,
      signed,
      createPublicKey(await publicKeyOf(keyId)),
      Buffer.from(signature, 'base64url'),
    );
    if (!isGood) throw new Error(`The signature of ${digest} is not good.`);
  }

  /** A request whose JSON answer must carry provenance, as every one does. */
  async function ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply> {
    const reply = await fetchJson(method, path, body, headers);
    await checkProvenance(reply.body);
    return reply;
  }

  /** A request over MCP. Every answer must carry provenance, at the place that docs/mcp.md names. */
  async function rpc(method: string, params?: unknown, id: number | string = 1): Promise<Json> {
    const message = { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) };
    const { body } = await fetchJson('POST', '/mcp', message);
    await checkRpcProvenance(body);
    return body;
  }

  async function checkRpcProvenance({ result, error }: Json): Promise<void> {
    if (error !== undefined) {
      const { provenance, ...data } = error.data ?? {};
      return checkProvenance({ ...error, data, provenance });
    }
    if (Object.keys(result).length === 0) return;
    const { _meta, structuredContent, ...rest } = result;
    const { 'agent-marketplace/provenance': provenance, ...meta } = _meta ?? {};
    if (structuredContent === undefined) {
      return checkProvenance({ ...(Object.keys(meta).length > 0 && { _meta: meta }), ...rest, provenance });
    }
    if (JSON.stringify(structuredContent.provenance) !== JSON.stringify(provenance)) {
      throw new Error('The provenance of a result is in structuredContent and the same in _meta.');
    }
    await checkProvenance(structuredContent);
  }

  return {
    ask,
    rpc,
    raw: fetchJson,
    bytes: async (path: string) => {
      const response = await send('GET', path, null, {});
      return {
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      };
    },
    checkProvenance,
    checkRpcProvenance,
    checkSignature,
    get: (path: string, headers?: Record<string, string>) => ask('GET', path, undefined, headers),
    post: (path: string, body: unknown = {}) => ask('POST', path, body),
    patch: (path: string, body: unknown) => ask('PATCH', path, body),

    /** The structured result of a tool. */
    async tool(name: string, args: Json = {}): Promise<Json> {
      const { result, error } = await rpc('tools/call', { name, arguments: args });
      if (result === undefined) throw new Error(`${name}: ${JSON.stringify(error)}`);
      return { ...result.structuredContent, isError: result.isError === true };
    },
  };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`Not JSON: ${text.slice(0, 200)}`);
  }
}

export function sha256(text: string | Buffer): string {
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}
