/** What does not conform yet, by rule. The check fails for an entry that conforms: the list only shrinks. */
export const pending: Readonly<Record<string, readonly string[]>> = {
  'banned-names': [],
  'database-errors': [],
  'folder-size': ['packages/core/src/sales'],
  'table-writers': ['listings', 'purchases', 'sellers'],
};
