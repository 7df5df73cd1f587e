import type { FileDescription } from '../../kernel/operation/operation.ts';

/** A file keeps its bytes, so its tag is a strong one. */
function fileTag(digest: string): string {
  return `"${digest.slice('sha256:'.length)}"`;
}

/**
 * How a file goes out: as a download that no browser takes for a page, whatever its bytes are. Who may have
 * it is often told by its address alone, so no shared cache keeps it.
 */
export function fileHeaders({ digest, contentType, filename }: FileDescription): Record<string, string> {
  return {
    ...fileIdentity(digest),
    'content-type': contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
    'content-disposition': contentDisposition(filename),
    'content-security-policy': "default-src 'none'; sandbox",
  };
}

/** What a 304 says as well. */
export function fileIdentity(digest: string): Record<string, string> {
  return {
    etag: fileTag(digest),
    'x-content-sha256': digest.slice('sha256:'.length),
    'cache-control': 'private, no-cache',
  };
}

/** RFC 6266: a name for every client, and the whole one for those that can read it. */
function contentDisposition(filename: string): string {
  const plain = filename.replaceAll(/[^\w .()+,=@-]/g, '_');
  const whole = encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
