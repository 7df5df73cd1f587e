import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

/** The SQL of a Durable Object, in a Node process. */
export function createSqliteStorage(): SqlStorage {
  const database = new DatabaseSync(':memory:');
  const exec = (text: string, ...params: SQLInputValue[]) => {
    if (params.length > 0 || !text.includes(';')) return database.prepare(text).all(...params);
    database.exec(text);
    return [];
  };
  return { exec } as unknown as SqlStorage;
}
