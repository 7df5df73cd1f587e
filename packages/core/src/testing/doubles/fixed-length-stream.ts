/** Workers have it, and Node does not: a stream of exactly so many bytes. */
class NodeFixedLengthStream extends TransformStream<Uint8Array, Uint8Array> {
  constructor(expectedLength: number) {
    let missing = expectedLength;
    super({
      transform(chunk, controller) {
        missing -= chunk.byteLength;
        if (missing < 0) throw new TypeError('Attempt to write too many bytes through a FixedLengthStream.');
        controller.enqueue(chunk);
      },
      flush() {
        if (missing > 0)
          throw new TypeError('FixedLengthStream did not see all expected bytes before close().');
      },
    });
  }
}

export function defineFixedLengthStream(): void {
  Object.assign(globalThis, { FixedLengthStream: NodeFixedLengthStream });
}
