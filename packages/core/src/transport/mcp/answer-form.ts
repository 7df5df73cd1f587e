/** The media type of an answer to a message. */
export type AnswerForm = 'json' | 'event_stream';

/**
 * The first of our media types that an `Accept` header allows, or null. MCP requires clients to name both types; a
 * request without the header is answered as well, as the interface specification shows it (RFC 9110, 12.5.1).
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

/** A stream of one event. The answer is complete and its JSON has one line, so it needs no more. */
export async function asEventStream(response: Response): Promise<Response> {
  if (response.status !== 200 || response.body === null) return response;
  const headers = new Headers(response.headers);
  headers.set('content-type', 'text/event-stream');
  headers.delete('content-length');
  return new Response(`event: message\ndata: ${await response.text()}\n\n`, { status: 200, headers });
}
