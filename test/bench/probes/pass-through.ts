/** Asks the same seller the same, and hands its reply on as it comes. The path is the seller's URL. */
export default {
  async fetch(request) {
    const seller = decodeURIComponent(new URL(request.url).pathname.slice(1));
    const reply = await fetch(seller, { method: 'POST', body: await request.text() });
    return new Response(reply.body, { headers: { 'content-type': 'application/json' } });
  },
} satisfies ExportedHandler;
