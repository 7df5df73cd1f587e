import type { FetchHandler } from '../seller-endpoint.ts';
import { answerNode, type NodeRequest } from './node-listener.ts';

interface FastifyRequest {
  readonly raw: NodeRequest;
}

interface FastifyReply {
  code(status: number): unknown;
  headers(headers: Record<string, string>): unknown;
  send(body: Uint8Array): unknown;
}

/** The part of a Fastify instance in use. */
export interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    options: Record<string, never>,
    parser: (request: unknown, payload: unknown) => Promise<unknown>,
  ): unknown;
  all(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

/**
 * A plugin for Fastify, which otherwise parses bodies before a route sees them; your other routes are parsed as ever:
 *
 *     app.register(toFastifyPlugin(createSellerEndpoint({ … }), '/deliver'));
 */
export function toFastifyPlugin(handler: FetchHandler, path: string): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    // Of this scope alone: the endpoint reads the raw body itself, of whatever type.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', {}, async () => null);
    scope.all(path, async (request, reply) => {
      const { status, headers, body } = await answerNode(handler, request.raw);
      reply.code(status);
      reply.headers(headers);
      return reply.send(body);
    });
  };
}
