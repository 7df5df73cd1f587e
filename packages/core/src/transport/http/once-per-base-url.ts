/** The caller chooses the Host header and so the base URL; more entries would let it fill the memory. */
const MAX_BASE_URLS = 4;

/** Builds a value once per isolate and base URL. */
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
