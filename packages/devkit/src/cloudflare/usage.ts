export const USAGE = `Deploys the marketplace to Cloudflare, with wrangler.

  pnpm cloudflare setup --url https://<host> [--location <place>]
                                   creates what is missing: databases, queues, bucket, secrets; writes ids and
                                   addresses into the wrangler.toml files. Repeated, it does nothing
  pnpm cloudflare check            says what is missing, and changes nothing
  pnpm cloudflare deploy           checks, bundles, applies migrations, deploys every Worker in order
  pnpm cloudflare secret <NAME>    stores a secret, read from standard input, with every Worker that needs it

With --dry-run, setup and deploy show what they would do. Of deploy, that needs no account. See docs/deploy.md.`;
