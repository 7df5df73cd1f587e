import type { ImageFetcher, ImageRelay } from '../../kernel/ports/images/image-fetcher.ts';
import { disposeRpcResult } from '../system/dispose-rpc-result.ts';

/** Has the relay fetch and draw. */
export function createImageFetcher(relay: ImageRelay, allowLoopbackHttp: boolean): ImageFetcher {
  return {
    async fetch(url) {
      try {
        return disposeRpcResult(await relay.image({ url, allowLoopbackHttp }));
      } catch {
        // The relay ended, as under a picture that is too much for it.
        return { kind: 'failed' };
      }
    },
  };
}
