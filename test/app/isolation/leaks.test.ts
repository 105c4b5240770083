import fc from 'fast-check';
import { expect, it } from 'vitest';
import { describeOnEither, type TestDatabase } from '../../store/databases.ts';
import { isThorough } from '../../thoroughness.ts';
import { type Customer, customers, leaksIn, type Named, names, type Owners, openWorld } from './world.ts';

type World = Awaited<ReturnType<typeof openWorld>>;

const customer = fc.constantFrom(...customers);
const named = fc.constantFrom<Named>(...customers, ...customers, 'unknown', 'contradicted');
const owners = fc.constantFrom<Owners>(...customers, ...customers, '418,77', '77,419');
const name = fc.constantFrom(...names);
const subject = fc.nat(1);

/** Something that happens, with its name. */
type Step = readonly [string, (world: World) => Promise<unknown>];

const order = (id: number, shown: Named | 'refused', carried?: Customer, inside: Named | undefined = carried): Step => [
  `order ${id} ${shown} ${carried} ${inside}`,
  (it) => it.order(id, shown, carried, inside),
];
const own = (of: Customer): Step => [`own ${of}`, (it) => it.own(of)];
const hold = (id: number, named: readonly Named[]): Step => [`hold ${id} ${named}`, (it) => it.hold(id, named)];
const stock = (owners: readonly Customer[]): Step => [`stock ${owners}`, (it) => it.stock(owners)];
const again = (carried: Customer): Step => [`again ${carried}`, (it) => it.again(carried)];
const configure = (of: Owners): Step => [`configure ${of}`, (it) => it.configure(of)];
const hire = (of: Customer): Step => [`hire ${of}`, (it) => it.hire(of)];
const ask = (by: Customer | 'clerk', to: string, of?: Customer): Step => [
  `ask ${by} ${to} ${of}`,
  (it) => it.ask(by, to, of),
];
const add = (to: string, of: Owners): Step => [`add ${to} ${of}`, (it) => it.add(to, of)];
const change = (to: string, of: Owners): Step => [`change ${to} ${of}`, (it) => it.change(to, of)];
const remove = (to: string): Step => [`remove ${to}`, (it) => it.remove(to)];
const pause = (to: string): Step => [`pause ${to}`, (it) => it.pause(to)];
const resume = (to: string): Step => [`resume ${to}`, (it) => it.resume(to)];
const rename = (from: string, to: string): Step => [`rename ${from} ${to}`, (it) => it.rename(from, to)];
const repeat = (to: string): Step => [`repeat ${to}`, (it) => it.repeat(to)];
const away = (isAway: boolean): Step => [`away ${isAway}`, async (it) => it.setAway(isAway)];
const perform: Step = ['perform', (it) => it.perform()];
const announce: Step = ['announce', (it) => it.announce()];
const resend: Step = ['resend', (it) => it.resend()];
const foreign: Step = ['foreign', (it) => it.foreign()];
const quarantine = (of: 'other' | 'quarantined'): Step => [`quarantine ${of}`, (it) => it.quarantine(of)];
const keepClients: Step = ['keep clients', async (it) => it.keepClients()];

/** Lives in which the record of a customer once reached another; `shop` is of 77 at first. */
const seen: readonly (readonly Step[])[] = [
  // What waits, or was given up, goes to whomever a destination is changed to.
  [pause('shop'), order(0, '77'), change('shop', '418'), resume('shop'), announce],
  [away(true), order(0, '77'), announce, change('shop', '418'), away(false), resend, announce],
  [keepClients, order(0, '77'), change('shop', '418'), announce],
  // A name is given again.
  [order(0, '77'), announce, remove('shop'), add('shop', '418'), repeat('shop'), perform, announce],
  [order(0, '77'), rename('shop', 'hub'), add('shop', '418'), announce, repeat('shop'), perform],
  [order(0, '77'), announce, repeat('shop'), remove('shop'), add('shop', '418'), perform, announce],
  // A message names another customer than the record before, or than the one that becomes known.
  [add('hub', '418'), order(0, '77'), order(0, 'refused', '418'), announce],
  [add('hub', '418'), order(0, 'refused', '418'), order(0, '77'), announce],
  [pause('shop'), order(0, '77'), order(0, 'refused'), again('418'), resume('shop'), announce],
  // Changes that are recorded together are of several customers.
  [add('hub', '418'), hold(0, ['418', '77']), hold(1, ['77', '418', '77']), announce],
  // A message names nobody, and the next one somebody else.
  [add('hub', '418'), hold(0, ['418', 'unknown', '77']), announce],
  [hold(0, ['77']), hold(0, ['418', 'unknown']), announce],
  // An order moves to another customer.
  [add('hub', '418'), order(0, '77', '77'), order(0, '418', '418'), announce],
  // Rows of stock name their own customers.
  [add('hub', '418'), stock(['77', '418']), stock(['418', '77', '419']), announce],
  // The file gives a destination to another customer while something waits for it.
  [configure('77'), order(0, '77'), configure('418'), announce],
  // What was said of a destination was said for its customers of that time.
  [pause('shop'), change('shop', '418')],
  [configure('77'), pause('desk'), configure('418')],
  // Records are fetched with the token of a destination that was another customer's as it got them, or of several.
  [order(0, '77'), announce, change('shop', '418')],
  [change('shop', '418,77'), order(0, '77'), announce, change('shop', '418')],
  // A record that names two customers is not of the one that was known, nor one of another that a message carries.
  [add('hub', '418'), order(0, '418'), order(0, 'contradicted'), order(0, 'refused'), announce],
  [add('hub', '418'), order(0, 'refused', '418', '77'), order(1, 'refused', '418', 'contradicted'), announce],
  // The record that comes late is of another customer, as its message says, or only one of them.
  [pause('shop'), order(0, '77'), order(0, 'unknown'), order(0, 'refused'), again('418'), resume('shop'), announce],
  [pause('shop'), order(0, '77'), order(0, 'unknown'), order(0, 'refused'), again('419'), resume('shop'), announce],
  // A token counts what is of others, or is given to somebody else with its name.
  [own('418'), ask('77', 'shop'), ask('77', 'shop', '418')],
  [own('77'), ask('clerk', 'shop', '77'), add('hub', '418'), hire('418'), ask('clerk', 'hub', '418')],
  // What nobody understood is of nobody.
  [quarantine('other'), quarantine('quarantined')],
  // The reason for a GET that is not made is the failure of another's.
  [own('77'), own('418')],
];

const some = <T extends readonly unknown[]>(of: fc.Arbitrary<T>, step: (...given: T) => Step) =>
  of.map((given) => step(...given));

const orders = some(
  fc.tuple(
    subject,
    fc.oneof(customer, fc.constantFrom('refused' as const, 'contradicted' as const, 'unknown' as const)),
    fc.option(customer as fc.Arbitrary<Customer>, { nil: undefined }),
    fc.option(named, { nil: undefined, freq: 1 }),
  ),
  order,
);

/** Something that the warehouse reports. */
const report: fc.Arbitrary<Step> = fc.oneof(
  some(fc.tuple(subject, fc.array(named, { minLength: 1, maxLength: 3 })), hold),
  fc.array(customer, { minLength: 1, maxLength: 3 }).map(stock),
  orders,
  orders,
  customer.map(again),
  customer.map(own),
  fc.constant(foreign),
  fc.constantFrom('other' as const, 'quarantined' as const).map(quarantine),
);

const renaming = some(fc.tuple(name, name), rename);

/** Something that is done to those who are told of it. */
const administration: fc.Arbitrary<Step> = fc.oneof(
  some(fc.tuple(name, owners), add),
  some(fc.tuple(name, owners), change),
  owners.map(configure),
  customer.map(hire),
  some(fc.tuple(fc.constantFrom('clerk' as const, ...customers), name, fc.option(customer, { nil: undefined })), ask),
  ...[remove, pause, resume, repeat].map((step) => name.map(step)),
  renaming,
  renaming,
  fc.boolean().map(away),
  ...[perform, keepClients, announce, resend].map((step) => fc.constant(step)),
);

/** Something that happens in the life of a warehouse; more is reported than changed, or most of it would reach nobody. */
const step = fc.oneof({ arbitrary: report, weight: 2 }, { arbitrary: administration, weight: 1 });

/** Plays a life, and looks for the secret of a customer in what another ever gets, and for any in the log. Tokens read every so manieth part, and always some lists. */
async function play(database: TestDatabase, steps: readonly Step[], every: number): Promise<void> {
  const world = await openWorld(database);
  await world.everything();
  await world.add('shop', '77');
  for (const [, act] of steps) await act(world);
  await world.perform();
  for (const name of names) await world.resume(name);
  world.setAway(false);
  await world.announce();
  const told = await world.told();
  const got = [
    ...world.received(),
    ...(await world.fetched()),
    ...world.answered(),
    ...(await world.read(every)),
    ...told,
  ];
  const life = lifeOf(steps);
  expect(leaksIn(got), life).toEqual([]);
  expect(world.logged(), life).not.toContain('only-for-');
}

const lifeOf = (steps: readonly Step[]): string => steps.map(([what]) => what).join('; ');

/** Lives that were seen to leak, each with its player. */
const seenLives = (database: TestDatabase, every: number) =>
  seen.map((steps) => [lifeOf(steps), () => play(database, steps, every)] as const);

/** Plays random lives of several customers. Tokens read every so manieth part of what they can. */
const findNoLeaks = (database: TestDatabase, numRuns: number, every: number): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 12, maxLength: 30 }), (steps) => play(database, steps, every)),
    { numRuns },
  );

// Each life is a test, which ends in its time also where the machine has other things to do.
const lives = isThorough ? [1, 2, 3, 4, 5, 6, 7, 8] : [1];

// Tokens take turns: each address is read by one customer at least, and one that shows what is others' shows it to any of them.
const every = isThorough ? 3 : 5;

/** Lives that are known lead to known places, of which most are lists; the pages beside them are read a few times in all of these lives. */
const everySeen = isThorough ? 9 : 0;

describeOnEither('the secret of a customer', (database) => {
  it.each(seenLives(database, everySeen))('reaches nobody else, as it once did: %s', (_life, play) => play());

  it.each(lives)('reaches nobody else, whatever happens: life %i', () => findNoLeaks(database, 1, every));
});
