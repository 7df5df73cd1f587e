/**
 * What a finding follows from, for whoever did not read it himself:
 *
 * - `signed`: it follows from what is signed, whoever chose it.
 * - `incomplete`: it would, were these shown to be all pages, of one state.
 * - `word`: it rests on what nobody signed, such as that a checkpoint was shown after the pages.
 */
export type FindingProof = 'signed' | 'incomplete' | 'word';
