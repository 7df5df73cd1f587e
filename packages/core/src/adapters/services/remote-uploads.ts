import type { Log } from '../../kernel/ports/log.ts';
import type { Uploads } from '../../kernel/ports/uploads.ts';
import { disposeRpcResult } from '../system/dispose-rpc-result.ts';

/** The uploads Worker by service binding: what it does not live to answer is `unavailable`. */
export function createRemoteUploads(service: Uploads, log: Log): Uploads {
  return {
    async receive(...request) {
      try {
        return disposeRpcResult(await service.receive(...request));
      } catch (error) {
        log.error('upload_failed', { message: String(error) });
        return { kind: 'unavailable' };
      }
    },
  };
}
