import type { JsonObject } from '@agent-marketplace/protocol/json/json.ts';
import type { PaidQueries } from '../transport/mcp/connection.ts';
import { createMcpFace, type ToolAnswer } from './mcp-face.ts';
import type { PaymentHeaders, QueryAnswer, QueryMarketplace } from './query-marketplace.ts';

/** What is lost between the Worker of tools and that of paid queries: the call, or the answer to it. */
type Loss = 'lose_request' | 'lose_reply' | undefined;

/** The tool `buy_data` of a marketplace that is paid in USDC, as its Worker reaches the one of paid queries. */
export function createPaidTool(x402: QueryMarketplace) {
  const state: { loss: Loss; asked: QueryAnswer | null } = { loss: undefined, asked: null };
  const paidQueries: PaidQueries = {
    async fetch(request) {
      if (state.loss === 'lose_request') throw new Error('The Worker is not there.');
      const { pathname } = new URL(request.url);
      const path = pathname.slice('/api'.length);
      const headers = Object.fromEntries(request.headers);
      state.asked = await x402.send(request.method, path, {
        headers,
        body: (await request.json()) as object,
      });
      if (state.loss === 'lose_reply') throw new Error('The connection was lost.');
      const { status, text, headers: answered } = state.asked;
      return new Response(text, { status, headers: answered });
    },
  };
  const face = createMcpFace(x402.market, { paidQueries });

  /** A payment in a header of x402, as the tool takes it. */
  const paymentOf = (headers: PaymentHeaders): JsonObject | undefined => {
    const header = headers['PAYMENT-SIGNATURE'];
    return header === undefined ? undefined : JSON.parse(atob(header));
  };
  const call = (args: Record<string, unknown>, payment?: unknown, headers: PaymentHeaders = {}) =>
    face.callTool(
      'buy_data',
      { payment_method: 'usdc', ...args },
      { headers, meta: payment === undefined ? {} : { 'x402/payment': payment } },
    );

  return {
    state,
    face,
    call,
    paymentOf,

    /** A query with the payment of a header, and its answer as over HTTP. */
    async query(listingId: string, headers: PaymentHeaders, query: JsonObject): Promise<QueryAnswer> {
      const answer = await call({ listing_id: listingId, query }, paymentOf(headers));
      return { ...asOverHttp(answer), headers: new Headers() };
    },
  };
}

/** Terms are told in a form of their own; all else says its status. */
function asOverHttp({ isError, structuredContent: body }: ToolAnswer): Omit<QueryAnswer, 'headers'> {
  const text = JSON.stringify(body);
  if (!isError) return { status: 200, body, text };
  return { status: 'x402Version' in body ? 402 : Number(body.status), body, text };
}
