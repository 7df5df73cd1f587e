import type { JobMessage } from '@agent-marketplace/core/kernel/ports/job-queue.ts';
import type { SignedRequest } from '@agent-marketplace/core/kernel/ports/seller-endpoint.ts';
import { ObservedD1 } from '@agent-marketplace/core/testing/doubles/observed-d1.ts';
import api, { PollingMailboxObject } from '../../../workers/api/src/index.ts';
import type { Recording, Step } from '../recording.ts';

type ApiBindings = Parameters<typeof api.fetch>[1];

/** Of the request that is answered. */
let steps: Step<string>[] = [];

recordCryptography();

/** Not a probe but the product: answers a request as the API does, with all that was done for it at its bindings. */
export default {
  async fetch(request, bindings, ctx): Promise<Response> {
    steps = [];
    const behind: Promise<unknown>[] = [];
    const context = {
      waitUntil: (task: Promise<unknown>) => void behind.push(task),
      passThroughOnException: () => {},
      props: ctx.props,
    } as ExecutionContext;
    const response = await api.fetch(request, observedOf(bindings), context);
    const answeredAfter = steps.length;
    const answer = await response.text();
    await Promise.all(behind);
    const recording: Recording = { status: response.status, answer, steps, answeredAfter };
    return Response.json(recording);
  },
} satisfies ExportedHandler<ApiBindings>;

export { PollingMailboxObject };

/** The same for every request: the Worker keeps what lasts by its bindings. */
let observed: ApiBindings | undefined;

function observedOf(bindings: ApiBindings): ApiBindings {
  observed ??= {
    ...bindings,
    DB: observedDatabase(bindings.DB),
    RELAY: observing(bindings.RELAY, {
      post: (request: SignedRequest) => {
        steps.push({ kind: 'relay', request: JSON.stringify(request) });
        return bindings.RELAY.post(request);
      },
    }),
    JOBS: observing(bindings.JOBS, {
      send: (message: JobMessage, options?: QueueSendOptions) => {
        steps.push({ kind: 'job', message });
        return bindings.JOBS.send(message, options);
      },
    }),
    POLLING: observing(bindings.POLLING, {
      getByName: (agentId: string) =>
        observing(bindings.POLLING.getByName(agentId), {
          wake: (sequence: number | null) => {
            steps.push({ kind: 'wake', agentId, sequence });
            return bindings.POLLING.getByName(agentId).wake(sequence);
          },
        }),
    }),
  };
  return observed;
}

function observedDatabase(real: D1Database): D1Database {
  const database = new ObservedD1(real);
  // Steps are sent as JSON: nothing of a statement but these.
  database.onRoundTrip = ({ session, statements }) =>
    steps.push({
      kind: 'database',
      session,
      statements: statements.map(({ sql, params }) => ({ sql, params })),
    } as Step<string>);
  return database.d1;
}

/** What a binding is, with some of its methods in place of its own. */
function observing<Binding extends object>(binding: Binding, methods: object): Binding {
  return new Proxy(binding, {
    get: (target, name) => Reflect.get(name in methods ? methods : target, name),
  });
}

function recordCryptography(): void {
  const { subtle } = crypto;
  const digest = subtle.digest.bind(subtle);
  const sign = subtle.sign.bind(subtle);
  subtle.digest = (algorithm, data) => {
    steps.push({ kind: 'digest', bytes: data.byteLength });
    return digest(algorithm, data);
  };
  subtle.sign = (algorithm, key, data) => {
    const { name } = key.algorithm;
    steps.push({ kind: name === 'HMAC' ? 'mac' : 'signature', bytes: data.byteLength });
    return sign(algorithm, key, data);
  };
}
