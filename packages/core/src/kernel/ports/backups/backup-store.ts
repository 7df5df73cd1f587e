/** Where backups are kept, outside of the database. Rejects where it cannot be reached. */
export interface BackupStore {
  /** Writing the same path again replaces what is there. */
  write(path: string, bytes: Uint8Array): Promise<void>;
  /** The folders at the top, in order. */
  listFolders(): Promise<string[]>;
  /** Removes up to 1,000 objects of a folder. */
  removeFrom(folder: string): Promise<void>;
}
