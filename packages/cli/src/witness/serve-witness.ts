import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { formatNoteKey } from '@agent-marketplace/protocol/log/note.ts';
import { CliFailure } from '../frame/cli-failure.ts';
import { addCheckpoint, type Witness, type WitnessAnswer } from './add-checkpoint.ts';

/** A checkpoint with a hundred signatures and the longest proof fits in a quarter of it. */
const MAX_BODY_BYTES = 128 * 1024;

export interface ServeWitnessOptions {
  readonly witness: Witness;
  readonly host: string;
  readonly port: number;
  /** A line for whoever runs it. */
  readonly log: (line: string) => void;
  /** Keeps two checkpoints of a log that contradict each other. */
  readonly keepFork: (fork: NonNullable<WitnessAnswer['fork']>) => Promise<void>;
}

/**
 * A witness as a server of Node: `POST /add-checkpoint`, and its verifier key at any other path.
 *
 * @throws CliFailure if the port is taken.
 */
export async function serveWitness(
  options: ServeWitnessOptions,
): Promise<{ port: number; close(): Promise<void> }> {
  const { witness, host, port, log } = options;
  const logRefusal = createRefusalLog(log, witness.now);
  let last: Promise<unknown> = Promise.resolve();
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => {
      log(`500. ${error instanceof Error ? error.message : 'It failed.'}`);
      response.writeHead(500).end();
    });
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isSubmission = request.url?.endsWith('/add-checkpoint') === true;
    if (request.method !== 'POST' || !isSubmission) {
      const isRead = request.method === 'GET' && !isSubmission;
      response.writeHead(isRead ? 200 : 405, {
        'content-type': 'text/plain; charset=utf-8',
        ...(isRead ? {} : { allow: isSubmission ? 'POST' : 'GET' }),
      });
      response.end(isRead ? `${formatNoteKey(witness.signer.key)}\n` : '');
      return;
    }
    const body = await readBody(request);
    if (body === null) {
      response.writeHead(413, { connection: 'close' }).end();
      return;
    }
    // One after the other: of two at once, one would be refused for a size that was right when it was sent.
    const turn = last.then(() => addCheckpoint(body, witness));
    last = turn.catch(() => {});
    const { status, body: text, contentType, fork } = await turn;
    if (status !== 200 && contentType !== SIZE) logRefusal(`${status}. ${text.trim()}`);
    if (fork !== undefined) await options.keepFork(fork);
    response.writeHead(status, { 'content-type': contentType }).end(text);
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new CliFailure('config', `The witness cannot listen on ${host}:${port} (${error.code}).`)),
    );
    server.listen(port, host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeIdleConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A log that asked with an old size asks again: that is how they find out what was cosigned last. */
const SIZE: WitnessAnswer['contentType'] = 'text/x.tlog.size';
const LOGGED_EVERY_MS = 3_600_000;

/** Anybody may send what is refused, as often as they like: each refusal is a line once an hour, with how many there were. */
function createRefusalLog(log: (line: string) => void, now: () => number): (refusal: string) => void {
  const refusals = new Map<string, { loggedAt: number; count: number }>();
  return (refusal) => {
    const before = refusals.get(refusal);
    if (before !== undefined && now() - before.loggedAt < LOGGED_EVERY_MS) {
      before.count += 1;
      return;
    }
    refusals.set(refusal, { loggedAt: now(), count: 0 });
    const { count = 0 } = before ?? {};
    log(count === 0 ? refusal : `${refusal} (and ${count} times since the last line)`);
  };
}

/** Null: it is longer than any request. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
