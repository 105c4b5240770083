import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { retrievalOf, type SubjectKind } from '../domain/subject.ts';
import { eventNames } from './effects.ts';
import type { FaultInjector } from './faults.ts';
import type { Simulator } from './simulator.ts';
import { vendorError } from './vendor-error.ts';

/** What the control endpoints act on. */
export interface ControlDeps {
  readonly simulator: Omit<Simulator, 'baseUrl' | 'authUrl' | 'close'>;
  readonly faults: FaultInjector;
}

const subjectSchema = z.strictObject({
  kind: z.enum(Object.keys(retrievalOf) as [SubjectKind, ...SubjectKind[]]),
  referenceNum: z.string().exactOptional(),
  customerId: z.number().int().exactOptional(),
});

const eventSchema = z.strictObject({ id: z.coerce.string(), name: z.enum(eventNames) });

const count = z.number().int().min(0).max(100_000).default(0);
const playSchema = z.strictObject({ orders: count, receipts: count, adjustments: count, assemblies: count });

/** The simulator's own endpoints, by which another process sets it up, lets things happen, and asks what truly did. */
export function registerControl(app: FastifyInstance, { simulator, faults }: ControlDeps): void {
  app.put('/simulator/webhooks', async (request, reply) => {
    simulator.setWebhooks(request.body as Parameters<Simulator['setWebhooks']>[0]);
    return reply.code(204).send();
  });
  app.put('/simulator/faults', async (request) => {
    faults.set(z.looseObject({}).parse(request.body));
    return faults.current();
  });
  app.get('/simulator/faults', async () => faults.current());
  app.get('/simulator/truth', async () => simulator.truth());
  app.get('/simulator/counts', async () => simulator.counts());
  registerLives(app, simulator);
}

/** Deliveries go on after the answer: `GET /simulator/counts` and `/simulator/truth` tell what became of them. */
function registerLives(app: FastifyInstance, simulator: ControlDeps['simulator']): void {
  app.post('/simulator/subjects', async (request, reply) => {
    const { kind, ...options } = subjectSchema.parse(request.body);
    const id = await attempt(async () => simulator.create(kind, options));
    return reply.code(201).send({ id });
  });
  app.post('/simulator/events', async (request, reply) => {
    const { id, name } = eventSchema.parse(request.body);
    const event = await attempt(() => simulator.emit(id, name, { deliver: false }));
    void simulator.deliver(event);
    return reply.code(202).send({ id: event.id, subject: event.subject, name, time: event.time });
  });
  app.post('/simulator/play', async (request, reply) => {
    void simulator.play(playSchema.parse(request.body));
    return reply.code(202).send({ status: 'playing' });
  });
}

/** What the simulator refuses is the caller's mistake: an id, a customer or an event that there is none of. */
async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw vendorError(400, 'NotParsable', (error as Error).message);
  }
}
