import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { collectionOf, subjectKinds } from '../../src/domain/catalogue/subject.ts';
import type { FaultInjector } from './api/faults.ts';
import { vendorError } from './api/vendor-error.ts';
import type { MannersHolder } from './manners.ts';
import { entryOptionsSchema, eventDetailsSchema } from './state/entry.ts';
import { eventNames } from './state/events.ts';
import type { Tenant } from './tenant.ts';

export interface ControlDeps {
  /** Returns the tenant with that `tplId`, by default the first. Throws if there is none. */
  readonly tenant: (tplId?: number) => Tenant;
  readonly counts: () => object;
  readonly faults: FaultInjector;
  readonly manners: MannersHolder;
}

const querySchema = z.object({ tenant: z.coerce.number().int().exactOptional() });
const subjectSchema = entryOptionsSchema.extend({ kind: z.enum(subjectKinds) });
const eventSchema = eventDetailsSchema.extend({ id: z.coerce.string(), name: z.enum(eventNames) });
const count = z.number().int().min(0).max(100_000).default(0);
const playSchema = z.strictObject(Object.fromEntries(Object.values(collectionOf).map((name) => [name, count])));

/**
 * Registers the simulator's own endpoints, with which another process configures it, triggers events and reads the truth.
 * Those that concern one tenant accept `?tenant=9105`; the default is the first tenant.
 */
export function registerControl(app: FastifyInstance, deps: ControlDeps): void {
  app.put('/simulator/webhooks', async (request, reply) => {
    const tenant = await tenantOf(request, deps);
    tenant.setWebhooks(request.body as Parameters<Tenant['setWebhooks']>[0]);
    return reply.code(204).send();
  });
  app.put('/simulator/faults', async ({ body }) => change(deps.faults, body));
  app.get('/simulator/faults', async () => deps.faults.current());
  app.delete('/simulator/faults', async () => reset(deps.faults));
  app.put('/simulator/manners', async ({ body }) => change(deps.manners, body));
  app.get('/simulator/manners', async () => deps.manners.current());
  app.delete('/simulator/manners', async () => reset(deps.manners));
  app.get('/simulator/truth', async (request) => (await tenantOf(request, deps)).truth());
  app.get('/simulator/counts', async () => deps.counts());
  registerEvents(app, deps);
}

type Holder = Pick<MannersHolder, 'set' | 'reset'> & { current(): object };

function change(holder: Holder, changes: unknown): object {
  holder.set(z.looseObject({}).parse(changes));
  return holder.current();
}

function reset(holder: Holder): object {
  holder.reset();
  return holder.current();
}

/** Answers before the deliveries end: `GET /simulator/counts` and `/simulator/truth` report their results. */
function registerEvents(app: FastifyInstance, deps: ControlDeps): void {
  app.post('/simulator/subjects', async (request, reply) => {
    const { kind, ...options } = subjectSchema.parse(request.body);
    const tenant = await tenantOf(request, deps);
    const id = await attempt(() => tenant.create(kind, options));
    return reply.code(201).send({ id });
  });
  app.post('/simulator/events', async (request, reply) => {
    const { id, name, ...details } = eventSchema.parse(request.body);
    const tenant = await tenantOf(request, deps);
    const event = await attempt(() => tenant.emit(id, name, { ...details, deliver: false }));
    void tenant.deliver(event);
    return reply.code(202).send({ id: event.id, subject: event.subject, name, time: event.time });
  });
  app.post('/simulator/play', async (request, reply) => {
    const tenant = await tenantOf(request, deps);
    void tenant.play(playSchema.parse(request.body));
    return reply.code(202).send({ status: 'playing' });
  });
}

function tenantOf({ query }: FastifyRequest, { tenant }: ControlDeps): Promise<Tenant> {
  const { tenant: tplId } = querySchema.parse(query);
  return attempt(() => tenant(tplId));
}

/** Answers 400 to every refusal: the caller named an unknown tenant, id, customer or event. */
async function attempt<T>(act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw vendorError(400, 'NotParsable', (error as Error).message);
  }
}
