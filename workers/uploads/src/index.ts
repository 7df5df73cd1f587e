import { WorkerEntrypoint } from 'cloudflare:workers';
import { createR2AttachmentStore } from '@agent-marketplace/core/adapters/r2/attachment-store.ts';
import { boundUploads } from '@agent-marketplace/core/adapters/system/bound-uploads.ts';
import { consoleLog } from '@agent-marketplace/core/adapters/system/system.ts';
import { createBodyReceiver, MAX_UPLOAD_MS } from '@agent-marketplace/core/inquiries/index.ts';
import type { ReceivedBody, Uploads } from '@agent-marketplace/core/kernel/ports/uploads.ts';

interface UploadsBindings {
  readonly ATTACHMENTS: R2Bucket;
}

export default class extends WorkerEntrypoint<UploadsBindings> implements Uploads {
  receive(...request: Parameters<Uploads['receive']>): Promise<ReceivedBody> {
    const store = createR2AttachmentStore(this.env.ATTACHMENTS, consoleLog);
    return boundUploads(createBodyReceiver(store), MAX_UPLOAD_MS).receive(...request);
  }
}
