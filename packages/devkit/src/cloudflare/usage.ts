export const USAGE = `Deploys the marketplace to Cloudflare, with wrangler.

  pnpm cloudflare setup --url https://<host> [--location <place>]
                                   creates what is missing: databases, queues, bucket, secrets; writes ids and
                                   addresses into the wrangler.toml files. Repeated, it does nothing
  pnpm cloudflare check            says what is missing, and changes nothing
  pnpm cloudflare deploy           checks, bundles, applies migrations, deploys every Worker in order
  pnpm cloudflare secret <NAME>    stores a secret, read from standard input, with every Worker that needs it
  pnpm cloudflare begin-log [--stolen] [--local]
                                   makes the key of another log, in place of one that cannot go on, which the next deployment
                                   begins with all that was published. --stolen: the old key is not asked to name it.
                                   --local: of \`pnpm dev\`, which begins it at its next start
  pnpm cloudflare restore [--backup <id>] [--from <folder>] [--database <name> | --state <folder>]
                                   puts a backup of the database together, the last one or that of an id, out of the bucket
                                   or a folder with its objects, and loads it into an empty database, or a new folder
                                   for \`pnpm dev\`. See docs/operate.md
  pnpm cloudflare smoke --url https://<host>/api [--requests <up to 500>] [--concurrency <up to 16>]
                                   tries a deployment: smoke-test agents list and buy and are removed again, and answers are
                                   checked and timed. Takes ADMIN_SECRET from the environment, or asks for it

With --dry-run, setup, deploy and begin-log show what they would do. Of deploy, that needs no account. See docs/deploy.md.`;
