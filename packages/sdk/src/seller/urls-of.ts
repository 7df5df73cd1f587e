/**
 * The URLs under which a seller may have registered this endpoint other than `callbackUrl`: as the request saw it, as a
 * proxy says that it was asked for, and either with what is easily mistaken (http, a slash at the end, the query, localhost).
 */
export function urlsOf(callbackUrl: string, request: Request): string[] {
  const configured = parse(callbackUrl);
  const arrived = parse(request.url);
  const { headers } = request;
  const hosts = [configured?.host, headers.get('x-forwarded-host'), headers.get('host'), arrived?.host];
  const paths = [configured?.pathname, arrived?.pathname];
  const queries = [configured?.search, arrived?.search, ''];
  const urls = new Set<string>();
  for (const host of new Set(hosts.flatMap(namesOf)))
    for (const path of new Set(paths.flatMap(slashed)))
      for (const query of new Set(queries))
        for (const protocol of ['https', 'http']) {
          const url = `${protocol}://${host}${path}${query ?? ''}`;
          // A host is a header's text: what is no URL, or has more in it than a host, was signed by nobody.
          if (parse(url)?.host === host) urls.add(url);
        }
  urls.delete(callbackUrl);
  return [...urls];
}

function parse(url: string): URL | null {
  try {
    return new URL(url);
  } catch {
    return null;
  }
}

/** This machine has two names. */
function namesOf(host: string | null | undefined): string[] {
  if (!host) return [];
  return [
    host,
    host.replace(/^127\.0\.0\.1(?=:|$)/, 'localhost'),
    host.replace(/^localhost(?=:|$)/, '127.0.0.1'),
  ];
}

function slashed(path: string | undefined): string[] {
  if (path === undefined) return [];
  const bare = path.replace(/\/$/, '');
  return [path, bare, `${bare}/`];
}
