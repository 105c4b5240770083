import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { subjectKinds } from '../../domain/catalogue/subject.ts';
import type { FaultInjector } from './api/faults.ts';
import { vendorError } from './api/vendor-error.ts';
import { eventNames } from './effects/effects.ts';
import type { Simulator } from './simulator.ts';
import type { Tenant } from './tenant.ts';

/** What the control endpoints act on. */
export interface ControlDeps {
  readonly simulator: Omit<Simulator, 'baseUrl' | 'authUrl' | 'close'>;
  readonly faults: FaultInjector;
}

const querySchema = z.object({ tenant: z.coerce.number().int().exactOptional() });

const subjectSchema = z.strictObject({
  kind: z.enum(subjectKinds),
  referenceNum: z.string().exactOptional(),
  customerId: z.number().int().exactOptional(),
  facilityId: z.number().int().exactOptional(),
  lines: z.number().int().exactOptional(),
  itemId: z.number().int().exactOptional(),
  qualifier: z.string().exactOptional(),
});

const level = z.number().int().exactOptional();

const eventSchema = z.strictObject({
  id: z.coerce.string(),
  name: z.enum(eventNames),
  orderItemId: z.coerce.string().exactOptional(),
  deactivated: z.boolean().exactOptional(),
  incomplete: z.boolean().exactOptional(),
  levels: z
    .strictObject({ totalReceived: level, allocated: level, available: level, onHold: level, onHand: level })
    .exactOptional(),
});

const count = z.number().int().min(0).max(100_000).default(0);

const playSchema = z.strictObject({
  orders: count,
  receipts: count,
  adjustments: count,
  assemblies: count,
  items: count,
  stock: count,
  holds: count,
});

/**
 * The simulator's own endpoints, by which another process sets it up, lets things happen, and asks what truly did. Those that
 * concern one tenant take `?tenant=9105`; without it they concern the first.
 */
export function registerControl(app: FastifyInstance, { simulator, faults }: ControlDeps): void {
  app.put('/simulator/webhooks', async (request, reply) => {
    const tenant = await tenantOf(request, simulator);
    tenant.setWebhooks(request.body as Parameters<Tenant['setWebhooks']>[0]);
    return reply.code(204).send();
  });
  app.put('/simulator/faults', async (request) => {
    faults.set(z.looseObject({}).parse(request.body));
    return faults.current();
  });
  app.get('/simulator/faults', async () => faults.current());
  app.get('/simulator/truth', async (request) => (await tenantOf(request, simulator)).truth());
  app.get('/simulator/counts', async () => simulator.counts());
  registerLives(app, simulator);
}

/** Deliveries go on after the answer: `GET /simulator/counts` and `/simulator/truth` tell what became of them. */
function registerLives(app: FastifyInstance, simulator: ControlDeps['simulator']): void {
  app.post('/simulator/subjects', async (request, reply) => {
    const { kind, ...options } = subjectSchema.parse(request.body);
    const tenant = await tenantOf(request, simulator);
    const id = await attempt(async () => tenant.create(kind, options));
    return reply.code(201).send({ id });
  });
  app.post('/simulator/events', async (request, reply) => {
    const { id, name, ...circumstances } = eventSchema.parse(request.body);
    const tenant = await tenantOf(request, simulator);
    const event = await attempt(() => tenant.emit(id, name, { ...circumstances, deliver: false }));
    void tenant.deliver(event);
    return reply.code(202).send({ id: event.id, subject: event.subject, name, time: event.time });
  });
  app.post('/simulator/play', async (request, reply) => {
    const tenant = await tenantOf(request, simulator);
    void tenant.play(playSchema.parse(request.body));
    return reply.code(202).send({ status: 'playing' });
  });
}

function tenantOf({ query }: FastifyRequest, simulator: ControlDeps['simulator']): Promise<Tenant> {
  const { tenant } = querySchema.parse(query);
  return attempt(async () => (tenant === undefined ? simulator : simulator.tenant(tenant)));
}

/** What the simulator refuses is the caller's mistake: an id, a customer, a tenant or an event that there is none of. */
async function attempt<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw vendorError(400, 'NotParsable', (error as Error).message);
  }
}
