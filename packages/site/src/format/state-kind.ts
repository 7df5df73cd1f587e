/** The four kinds of state. The word always stands beside the colour. */
export type StateKind = 'waiting' | 'done' | 'attention' | 'failed';
