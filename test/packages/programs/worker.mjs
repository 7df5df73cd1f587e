import { consume } from './consumer.mjs';

export default {
  /** @param {Request} request */
  async fetch(request) {
    return Response.json(await consume(new URL(request.url).searchParams.get('baseUrl') ?? ''));
  },
};
