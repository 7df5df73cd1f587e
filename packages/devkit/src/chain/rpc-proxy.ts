import { serveOnLoopback } from '../loopback-server.ts';

export interface ProxiedCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** A fault of a request with a matching call; `answer` replaces the node's answer. */
export type ProxyFault =
  | 'lose_request'
  | 'lose_reply'
  | 'hang'
  | { readonly answer: { readonly result: unknown } | { readonly error: object } }
  | undefined;

export interface RpcProxy {
  readonly url: string;
  /** All calls in order, lost ones included. */
  readonly calls: ProxiedCall[];
  /** Called before each call; may be replaced at any time. */
  fault: (call: ProxiedCall) => ProxyFault;
  close(): Promise<void>;
}

type Answer = { id: unknown; [part: string]: unknown };

/** A proxy in front of a node that loses, delays or falsifies on demand. */
export async function startRpcProxy(target: string): Promise<RpcProxy> {
  const { port, close } = await serveOnLoopback(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString();
    const parsed = JSON.parse(body) as (ProxiedCall & { id: unknown })[] | (ProxiedCall & { id: unknown });
    const calls = Array.isArray(parsed) ? parsed : [parsed];
    const faults = calls.map((call) => {
      proxy.calls.push({ method: call.method, params: call.params });
      return proxy.fault(call);
    });
    if (faults.includes('hang')) return;
    if (faults.includes('lose_request')) return void response.destroy();
    const headers = { 'content-type': 'application/json' };
    const answered = await fetch(target, { method: 'POST', headers, body });
    const answers = (await answered.json()) as Answer[] | Answer;
    if (faults.includes('lose_reply')) return void response.destroy();
    const changed = [answers].flat().map((answer) => {
      const fault = faults[calls.findIndex(({ id }) => id === answer.id)];
      return typeof fault === 'object' ? { jsonrpc: '2.0', id: answer.id, ...fault.answer } : answer;
    });
    response.writeHead(200, headers).end(JSON.stringify(Array.isArray(answers) ? changed : changed[0]));
  });
  const proxy: RpcProxy = {
    url: `http://127.0.0.1:${port}`,
    calls: [],
    fault: () => undefined,
    close,
  };
  return proxy;
}
