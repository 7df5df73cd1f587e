import { META } from '../../transport/mcp/names.ts';
import { checkSignature, digestOfSorted, type Receipt } from './read-signed.ts';

type Members = Record<string, unknown>;

export interface RpcAnswer {
  readonly jsonrpc: '2.0';
  readonly id: unknown;
  readonly result?: Members;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Members };
}

/** Checks the provenance of each answer in the body of a response of JSON-RPC, with nothing of the code that made it. */
export async function checkSignedRpc(response: Response): Promise<void> {
  const text = await response.text();
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  const json = isStream ? text.slice(text.indexOf('data: ') + 'data: '.length) : text;
  const body = JSON.parse(json) as RpcAnswer | RpcAnswer[];
  for (const answer of [body].flat()) await checkAnswer(answer);
}

async function checkAnswer({ result, error }: RpcAnswer): Promise<void> {
  if (error !== undefined) {
    const { provenance, ...data } = error.data ?? {};
    return checkProvenance(provenance, { ...error, data });
  }
  // The empty results of `ping` and `logging/setLevel` say nothing that could be signed.
  if (result !== undefined && Object.keys(result).length === 0) return;
  const provenance = result?._meta?.[META.provenance as never];
  const structured = result?.structuredContent as Members | undefined;
  if (structured === undefined) return checkProvenance(provenance, unsignedResult(result ?? {}));
  // Terms are sent as x402 has them, with nothing added.
  if ('x402Version' in structured) return checkProvenance(provenance, structured);
  const { provenance: inside, ...content } = structured;
  if (JSON.stringify(inside) !== JSON.stringify(provenance)) throw new Error('two provenances');
  return checkProvenance(provenance, content);
}

/** A result without its provenance, and without a `_meta` that was there for it only. */
export function unsignedResult({ _meta, ...result }: Members): Members {
  const { [META.provenance]: _, ...meta } = (_meta ?? {}) as Members;
  return Object.keys(meta).length === 0 ? result : { ...result, _meta: meta };
}

async function checkProvenance(provenance: unknown, signed: Members): Promise<void> {
  const { receipt } = (provenance ?? {}) as { receipt?: Receipt };
  if (receipt === undefined) throw new Error(`no provenance: ${JSON.stringify(signed).slice(0, 300)}`);
  if (receipt.alg !== 'ed25519') throw new Error(`alg ${receipt.alg}`);
  if (receipt.digest !== (await digestOfSorted(signed))) throw new Error('digest differs, sorted');
  await checkSignature(receipt);
}
