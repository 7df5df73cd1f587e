import { json, type Reply, type Request, readRequest, send } from './card-processor/http.ts';
import { html } from './card-processor/pages/html.ts';
import { serveOnLoopback } from './loopback-server.ts';

export interface LocalMailMessage {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The Idempotency-Key that it came with. */
  readonly reference: string;
}

export interface LocalMail {
  /** A page with every mail; without a trailing slash. */
  readonly url: string;
  /** What the marketplace is configured with. */
  readonly variables: {
    readonly MAIL_FROM: string;
    readonly MAIL_API_URL: string;
    readonly MAIL_API_KEY: string;
  };
  /** Oldest first, each once however often it was sent. */
  readonly messages: readonly LocalMailMessage[];
  close(): Promise<void>;
}

const API_KEY = 'local-mail';
const MAX_KEPT = 500;

/**
 * Takes the mail of a marketplace on this machine, as an HTTP mail API would, and shows it instead of sending
 * it. It listens on the loopback address only, and forgets everything when it is closed.
 */
export async function startLocalMail(): Promise<LocalMail> {
  const messages: LocalMailMessage[] = [];
  const { port, close } = await serveOnLoopback(async (incoming, response) => {
    try {
      const request = await readRequest(incoming);
      send(response, request ? answer(request, messages) : json(413, { error: 'too large' }));
    } catch (error) {
      if (!response.headersSent) send(response, json(500, { error: String(error) }));
    }
  });
  const url = `http://localhost:${port}`;
  return {
    url,
    variables: {
      MAIL_FROM: 'Agent Marketplace <marketplace@localhost>',
      MAIL_API_URL: `${url}/emails`,
      MAIL_API_KEY: API_KEY,
    },
    messages,
    close,
  };
}

function answer(request: Request, messages: LocalMailMessage[]): Reply {
  const { method, path, headers, body } = request;
  if (method === 'GET' && path === '/') return mailPage(messages);
  if (method !== 'POST' || path !== '/emails') return json(404, { error: 'not found' });
  if (headers.authorization !== `Bearer ${API_KEY}`) return json(401, { error: 'wrong key' });
  const { from, to, subject, text } = JSON.parse(body) as Record<string, unknown>;
  if (![from, to, subject, text].every((part) => typeof part === 'string' && part !== '')) {
    return json(422, { error: 'from, to, subject and text are needed' });
  }
  const reference = headers['idempotency-key'] ?? '';
  if (!messages.some((known) => known.reference === reference)) {
    messages.push({ from, to, subject, text, reference } as LocalMailMessage);
    if (messages.length > MAX_KEPT) messages.shift();
  }
  return json(200, { id: reference });
}

function mailPage(messages: readonly LocalMailMessage[]): Reply {
  const shown = messages.toReversed().map(
    ({ to, subject, text }) => html`<article>
      <h2>${subject}</h2>
      <p>To ${to}</p>
      <pre>${text}</pre>
    </article>`,
  );
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Mail of the local marketplace</title>
<style>:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0 auto; max-width: 44rem; padding: 2rem 1.25rem; } pre { white-space: pre-wrap; }</style>
</head>
<body>
<main>
<h1>Mail of the local marketplace</h1>
<p>Nothing is sent to anybody: it ends here. Newest first.</p>
${shown.length === 0 ? html`<p>No mail was sent yet.</p>` : shown}
</main>
</body>
</html>`;
  return { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: document.text };
}
