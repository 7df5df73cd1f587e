/** The part of a Hono context in use. */
export interface HonoContext<Env> {
  readonly req: { readonly raw: Request };
  readonly env: Env;
}

/**
 * A handler for Hono, of an endpoint or of `toWorker`:
 *
 *     app.all('/deliver', toHonoHandler(createSellerEndpoint({ … })));
 *     app.all('/deliver', toHonoHandler(toWorker((env: Env) => ({ … })).fetch));
 *
 * Middleware before it must not read the body.
 */
export function toHonoHandler<Env>(
  endpoint: (request: Request, env: Env) => Promise<Response>,
): (context: HonoContext<Env>) => Promise<Response> {
  return (context) => endpoint(context.req.raw, context.env);
}
