export const USAGE = `Makes a new Ed25519 signing key.

  pnpm keys --put                 stores it as the secret SIGNING_KEY of every Worker that signs, with wrangler
  pnpm keys --put --url <API>     the same over a running deployment, without a moment in which answers are
                                  signed with a key that nobody can look up: a rotation
  pnpm --silent keys --print      writes it to standard output and nothing else, for another way of storing it
  pnpm keys --local               puts it in place of the one in STATE_DIR/secrets.json, for pnpm dev

With --ingress, the key is INGRESS_SIGNING_KEY, which signs the receipts of the ingress door; with --log, it is LOG_SIGNING_KEY, which signs
the checkpoints of the transparency log. Whoever checks those has pinned the key: store a new one as LOG_SIGNING_KEY_NEXT first, which
signs beside it, and announce it.

What was signed before keeps verifying: every public key that ever signed stays published. See docs/operate.md.`;
