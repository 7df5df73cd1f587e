import { describe, expect, it } from 'vitest';
import {
  PETER_KEY,
  PETER_NOTE,
  PUBLIC_CHECKPOINT,
  PUBLIC_LOG,
  PUBLIC_WITNESSES,
} from '../testing/log-vectors.data.ts';
import { createSigningParty } from '../testing/signing-party.ts';
import { formatCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { parseLogPolicy, verifyCheckpoint } from './log-policy.ts';
import { formatLogProof, formatWitnessRequest, parseLogProof, parseWitnessRequest } from './log-proof.ts';
import {
  cosignNote,
  formatNote,
  formatNoteKey,
  type NoteKey,
  type NoteSigner,
  noteSignerOf,
  parseNote,
  parseNoteKey,
  signNote,
  verifyNote,
} from './note.ts';

const POLICY = `# Two of three
log ${PUBLIC_LOG}
witness remora ${PUBLIC_WITNESSES.remora} https://remora.n621.de
witness mullvad ${PUBLIC_WITNESSES.mullvad}
witness garden ${PUBLIC_WITNESSES.garden}
group two 2 remora mullvad garden
quorum two
`;
const COSIGNED_AT = 0x6a_12_21_20;

async function signerOf(name: string, type: 1 | 4): Promise<NoteSigner> {
  return noteSignerOf((await createSigningParty()).signer, name, type);
}
const keyOf = async (text: string) => (await parseNoteKey(text)) as NoteKey;

describe('signed notes', () => {
  it("verify as Go's sumdb writes them, and not when a letter differs", async () => {
    const note = parseNote(PETER_NOTE);
    if (note === null) throw new Error('no note');
    const key = await keyOf(PETER_KEY);
    expect(formatNoteKey(key)).toBe(PETER_KEY);
    expect(formatNote(note)).toBe(PETER_NOTE);
    expect(await verifyNote(note, key)).toEqual({ kind: 'valid', seconds: null });
    const other = { ...note, text: note.text.replace('answer', 'answar') };
    expect(await verifyNote(other, key)).toEqual({ kind: 'invalid' });
  });

  it.each([
    PETER_KEY.replace('c74f20a3', 'c74f20a4'),
    PETER_KEY.replace('PeterNeumann', 'Peter Neumann'),
    `${PETER_KEY}=`,
    'rekor.sigstore.dev+12345678+AwEB',
  ])('take no key that is not its own: %s', async (text) => {
    expect(await parseNoteKey(text)).toBeNull();
  });

  it.each([
    '',
    'text\n',
    PETER_NOTE.slice(0, -1),
    PETER_NOTE.replace('\u2014 Peter', '- Peter'),
    PETER_NOTE.replace('answer', 'ans\u0000wer'),
    PETER_NOTE.replace('x08go', 'x08g '),
  ])('are refused when malformed', (text) => {
    expect(parseNote(text)).toBeNull();
  });
});

describe('a policy', () => {
  it('judges a checkpoint that public witnesses cosigned', async () => {
    const policy = await parseLogPolicy(POLICY);
    const verdict = await verifyCheckpoint(PUBLIC_CHECKPOINT, policy);
    expect(verdict).toMatchObject({
      valid: true,
      checkpoint: { size: 1_432_088_532 },
      cosigned: ['remora', 'mullvad', 'garden'].map((name) => ({ name, seconds: COSIGNED_AT })),
    });
    const judged = (text: string) => verifyCheckpoint(text, policy);
    expect(await judged(PUBLIC_CHECKPOINT.replace('1432088532', '1432088533'))).toEqual({
      valid: false,
      reason: 'log_signature',
    });
    const lines = PUBLIC_CHECKPOINT.split('\n');
    const without = (...names: string[]) =>
      lines.filter((line) => !names.some((name) => line.startsWith(`\u2014 ${name} `))).join('\n');
    expect(await judged(without('remora.n621.de'))).toMatchObject({ valid: true });
    expect(await judged(without('remora.n621.de', 'witness.stagemole.eu'))).toEqual({
      valid: false,
      reason: 'quorum',
    });
    expect(await judged(without('arche2025h1.staging.ct.transparency.dev'))).toEqual({
      valid: false,
      reason: 'log_signature',
    });
    expect(
      await judged(
        PUBLIC_CHECKPOINT.replace('remora.n621.de 2net5wAAAABqEiEg', 'remora.n621.de 2net5wAAAABqEiEh'),
      ),
    ).toEqual({
      valid: false,
      reason: 'cosignature',
    });
    expect(await judged(PUBLIC_CHECKPOINT.replaceAll('arche', 'other'))).toEqual({
      valid: false,
      reason: 'unknown_log',
    });
    expect(await verifyCheckpoint(PUBLIC_CHECKPOINT, policy, COSIGNED_AT)).toMatchObject({ valid: true });
    expect(await verifyCheckpoint(PUBLIC_CHECKPOINT, policy, COSIGNED_AT + 1)).toEqual({
      valid: false,
      reason: 'quorum',
    });
  });

  it.each([
    ['a quorum is missing', POLICY.replace('quorum two\n', '')],
    ['line 7', POLICY.replace('quorum two', 'quorum three')],
    ['line 6', POLICY.replace('two 2', 'two 4')],
    ['line 6', POLICY.replace('remora mullvad garden', 'remora mullvad remora')],
    ['line 5', POLICY.replace('witness garden', 'witness remora')],
    ['line 3', POLICY.replace('+da77ade7+B', '+da77ade7+A')],
    ['line 8', `${POLICY}quorum two`],
    ['line 8', `${POLICY}watch me`],
  ])('is refused with the place of its fault: %s', async (place, text) => {
    await expect(parseLogPolicy(text)).rejects.toThrow(place);
  });

  it('may ask for no witness', async () => {
    const policy = await parseLogPolicy(POLICY.replace('quorum two', 'quorum none'));
    const [body = ''] = PUBLIC_CHECKPOINT.split('\u2014 transparency');
    expect(await verifyCheckpoint(body, policy)).toMatchObject({ valid: true, cosigned: [] });
  });
});

describe('checkpoints, proofs and requests of our own', () => {
  it('are read as they are written', async () => {
    const log = await signerOf('market.example/api/log', 1);
    const witness = await signerOf('club.example/w1', 4);
    const checkpoint = { origin: log.key.name, size: 3, root: new Uint8Array(32).fill(7) };
    const note = await signNote(formatCheckpoint(checkpoint), [log]);
    expect(parseCheckpoint(note.text)).toEqual(checkpoint);
    const cosignature = await cosignNote(note.text, witness, 1_700_000_000);
    const text = formatNote({ ...note, signatures: [...note.signatures, cosignature] });
    const policy = await parseLogPolicy(
      `log ${formatNoteKey(log.key)}\nwitness w ${formatNoteKey(witness.key)}\nquorum w\n`,
    );
    expect(await verifyCheckpoint(text, policy)).toMatchObject({
      valid: true,
      cosigned: [{ name: 'w', seconds: 1_700_000_000 }],
    });
    for (const extra of [null, Uint8Array.of(1, 2)]) {
      const proof = { index: 2, hashes: [new Uint8Array(32).fill(9)], checkpoint: text, extra };
      expect(parseLogProof(formatLogProof(proof))).toEqual(proof);
    }
    const request = { oldSize: 0, hashes: [], checkpoint: text };
    expect(parseWitnessRequest(formatWitnessRequest(request))).toEqual(request);
    expect(parseWitnessRequest('old 01\n\nx')).toBeNull();
    expect(parseLogProof('c2sp.org/tlog-proof@v1\nindex -1\n\nx')).toBeNull();
    expect(parseCheckpoint('origin\n1\nnothing\n')).toBeNull();
  });
});
