import { WorkerEntrypoint } from 'cloudflare:workers';
import { createHash } from 'node:crypto';
import { readCapped } from '@agent-marketplace/core/kernel/read-capped.ts';
import { isCanonicalText } from '@agent-marketplace/protocol/json/canonical-text.ts';
import type { ProbeBindings } from './bindings.ts';
import { digestOf, signatureOf } from './sign.ts';

interface Bindings extends ProbeBindings {
  readonly READER: Service<Reader>;
}

const MAX_BYTES = 10 * 1024 * 1024;
const DATA_FROM = '{"data":'.length;

/** Reads a reply as a whole, hashes its data, twice where they claim their digest, and looks whether their form is canonical. */
export class Reader extends WorkerEntrypoint {
  async read(seller: string, isClaimed: boolean): Promise<{ content: Uint8Array; digest: string }> {
    const reply = await fetch(seller, { method: 'POST', body: '{}' });
    const declaredBytes = Number(reply.headers.get('content-length'));
    const hashes = [createHash('sha256'), ...(isClaimed ? [createHash('sha256')] : [])];
    let hashed = 0;
    const onProgress = (received: Uint8Array) => {
      for (const hash of hashes) hash.update(received.subarray(hashed));
      hashed = received.length;
    };
    const body = await readCapped(reply.body as ReadableStream<Uint8Array>, {
      maxBytes: MAX_BYTES,
      declaredBytes,
      onProgress,
    });
    const [digest = ''] = hashes.map((hash) => hash.digest('hex'));
    const content = (body as Uint8Array).subarray(DATA_FROM, -1);
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
    if (!isCanonicalText(text)) throw new Error('The seller of the bench sends canonical data.');
    return { content, digest };
  }
}

/** A relay's unavoidable work: reply read, hashed and looked through, handed on, put into an answer that is hashed, signed and sent. */
export default {
  async fetch(request, { READER, SIGNING_KEY }) {
    const [, kind, seller = ''] = new URL(request.url).pathname.split('/');
    const { content, digest } = await READER.read(decodeURIComponent(seller), kind === 'claimed');
    const before = new TextEncoder().encode('{"content":');
    const body = new Uint8Array(before.length + content.length + 2048);
    body.set(before);
    body.set(content, before.length);
    const length = before.length + content.length;
    const receipt = await signatureOf(digestOf(body.subarray(0, length)), SIGNING_KEY);
    const tail = new TextEncoder().encode(`,"provenance":${JSON.stringify({ digest, receipt })}}`);
    body.set(tail, length);
    const { readable, writable } = new FixedLengthStream(length + tail.length);
    const writer = writable.getWriter();
    void writer.write(body.subarray(0, length + tail.length)).then(() => writer.close());
    return new Response(readable, { headers: { 'content-type': 'application/json' } });
  },
} satisfies ExportedHandler<Bindings>;
