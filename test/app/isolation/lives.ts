import fc from 'fast-check';
import { expect } from 'vitest';
import type { TestDatabase } from '../../store/databases.ts';
import { type Customer, customers, leaksIn, type Named, names, openWorld } from './world.ts';

type World = Awaited<ReturnType<typeof openWorld>>;

const customer = fc.constantFrom(...customers);
const named = fc.constantFrom<Named>(...customers, ...customers, 'unknown', 'contradicted');
const name = fc.constantFrom(...names);
const subject = fc.nat(1);

type Step = fc.Arbitrary<readonly [string, (world: World) => Promise<unknown>]>;

/** Record of an order, as a GET and a message show it. */
const order: Step = fc
  .tuple(
    subject,
    fc.oneof(customer, fc.constant('refused' as const)),
    fc.option(customer as fc.Arbitrary<Customer>, { nil: undefined }),
  )
  .map(
    ([id, shown, carried]) => [`order ${id} ${shown} ${carried}`, (it: World) => it.order(id, shown, carried)] as const,
  );

/** Something that the warehouse reports. */
const report: Step = fc.oneof(
  fc
    .tuple(subject, fc.array(named, { minLength: 1, maxLength: 3 }))
    .map(([id, named]) => [`hold ${id} ${named}`, (it: World) => it.hold(id, named)] as const),
  fc
    .array(customer, { minLength: 1, maxLength: 3 })
    .map((owners) => [`stock ${owners}`, (it: World) => it.stock(owners)] as const),
  order,
  order,
  customer.map((carried) => [`again ${carried}`, (it: World) => it.again(carried)] as const),
  fc.constant(['foreign', (it: World) => it.foreign()] as const),
  fc
    .constantFrom('other' as const, 'quarantined' as const)
    .map((of) => [`quarantine ${of}`, (it: World) => it.quarantine(of)] as const),
);

/** Something that is done to those who are told of it. */
const change: Step = fc.oneof(
  fc.tuple(name, customer).map(([to, of]) => [`add ${to} ${of}`, (it: World) => it.add(to, of)] as const),
  fc.tuple(name, customer).map(([to, of]) => [`change ${to} ${of}`, (it: World) => it.change(to, of)] as const),
  name.map((to) => [`remove ${to}`, (it: World) => it.remove(to)] as const),
  name.map((to) => [`pause ${to}`, (it: World) => it.pause(to)] as const),
  name.map((to) => [`resume ${to}`, (it: World) => it.resume(to)] as const),
  fc.tuple(name, name).map(([from, to]) => [`rename ${from} ${to}`, (it: World) => it.rename(from, to)] as const),
  fc.tuple(name, name).map(([from, to]) => [`rename ${from} ${to}`, (it: World) => it.rename(from, to)] as const),
  name.map((to) => [`repeat ${to}`, (it: World) => it.repeat(to)] as const),
  fc.constant(['perform', (it: World) => it.perform()] as const),
  fc.constant(['keep clients', async (it: World) => it.keepClients()] as const),
  fc.boolean().map((away) => [`away ${away}`, async (it: World) => it.setAway(away)] as const),
  fc.constant(['announce', (it: World) => it.announce()] as const),
  fc.constant(['resend', (it: World) => it.resend()] as const),
);

/** Something that happens in the life of a warehouse; more is reported than changed, or most of it would reach nobody. */
const step: Step = fc.oneof({ arbitrary: report, weight: 2 }, { arbitrary: change, weight: 1 });

/**
 * Plays random lives of several customers, and looks for the secret of one in what another ever gets, and for any in the log. Tokens read
 * everything that they can, or every so manieth part of it.
 */
export async function findNoLeaks(database: TestDatabase, numRuns: number, every = 1): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), async (steps) => {
      const world = await openWorld(database);
      await world.add('shop', '77');
      for (const [, play] of steps) await play(world);
      await world.perform();
      for (const name of names) await world.resume(name);
      world.setAway(false);
      await world.announce();
      const told = await world.told();
      const got = [...world.received(), ...(await world.fetched()), ...(await world.read(every)), ...told];
      const life = steps.map(([what]) => what).join('; ');
      expect(leaksIn(got), life).toEqual([]);
      expect(world.logged(), life).not.toContain('only-for-');
    }),
    { numRuns },
  );
}
