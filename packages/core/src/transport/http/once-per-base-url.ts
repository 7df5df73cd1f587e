/** A base URL taken from the Host header is the caller's choice, so only a few are kept. */
const MAX_BASE_URLS = 4;

/** Makes what depends on nothing but the base URL once per isolate. */
export function oncePerBaseUrl<T>(build: (baseUrl: string) => Promise<T>): (baseUrl: string) => Promise<T> {
  const built = new Map<string, Promise<T>>();
  return (baseUrl) => {
    const known = built.get(baseUrl);
    if (known) return known;
    const fresh = build(baseUrl);
    const [oldest] = built.keys();
    if (oldest !== undefined && built.size >= MAX_BASE_URLS) built.delete(oldest);
    built.set(baseUrl, fresh);
    fresh.catch(() => built.delete(baseUrl));
    return fresh;
  };
}
