export { type BackupPace, type BackupPart, backUp, LATEST_PATH, manifestPath, partPath } from './back-up.ts';
export type { SchemaPart } from './backups.store.ts';
