/** How an answer to a message goes out. */
export type AnswerForm = 'json' | 'event_stream';

/**
 * What of ours an `Accept` header takes, JSON first; null: nothing. MCP wants both types named, which is not passed on: a
 * bare request, as the interface specification shows it, is answered too (RFC 9110, 12.5.1).
 */
export function answerForm(accept: string | null): AnswerForm | null {
  if (accept === null || accept.trim() === '') return 'json';
  const ranges = new Map(accept.split(',').map(rangeOf));
  const takes = (type: string) => {
    const [family] = type.split('/');
    return (ranges.get(type) ?? ranges.get(`${family}/*`) ?? ranges.get('*/*') ?? 0) > 0;
  };
  if (takes('application/json')) return 'json';
  return takes('text/event-stream') ? 'event_stream' : null;
}

function rangeOf(range: string): [type: string, quality: number] {
  const [type = '', ...parameters] = range.toLowerCase().split(';');
  const quality = parameters.map((one) => one.trim()).find((one) => one.startsWith('q='));
  return [type.trim(), quality === undefined ? 1 : Number(quality.slice('q='.length))];
}

/** One event, after which the stream ends: the answer is there in whole, and its JSON is one line. */
export async function asEventStream(response: Response): Promise<Response> {
  if (response.status !== 200 || response.body === null) return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/event-stream');
  headers.delete('content-length');
  return new Response(`event: message\ndata: ${await response.text()}\n\n`, { status: 200, headers });
}
