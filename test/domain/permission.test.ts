import { expect, it } from 'vitest';
import { type Named, openWorld, secretOf } from '../app/isolation/world.ts';
import { describeOnSqlite } from '../store/databases.ts';

type World = Awaited<ReturnType<typeof openWorld>>;

const recorded: readonly Named[] = ['418', '77', 'unknown', 'contradicted'];

/** Way by which something reaches somebody who is limited to customer 418. */
interface Way {
  /** Prepares what has to be there before anything is recorded. */
  readonly before?: (world: World) => Promise<unknown>;
  /** What becomes of whom it is for between the recording and the question. */
  readonly change: (world: World) => Promise<unknown>;
  /** Returns what comes out. */
  readonly ask: (world: World) => Promise<string>;
  /** What comes out after the change; before it, what is of customer 418. */
  readonly changed: readonly Named[];
}

const texts = (got: readonly (readonly [string, string])[]) => got.map(([, text]) => text).join('\n');

/** Returns what the receivers get by something that is done. */
async function newly(world: World, ...steps: readonly (() => Promise<unknown>)[]): Promise<string> {
  const before = world.received().length;
  for (const step of steps) await step();
  return texts(world.received().slice(before));
}

const add = (world: World) => world.add('shop', '418');
const changeDestination = (world: World) => world.change('shop', '77');
const moveSubjects = async (world: World) => {
  for (const id of recorded.keys()) await world.hold(id, ['77']);
};

const ways: Readonly<Record<string, Way>> = {
  'what waits for a destination': {
    before: async (world) => [await add(world), await world.pause('shop')],
    change: changeDestination,
    ask: (world) => newly(world, () => world.resume('shop'), world.announce),
    changed: [],
  },
  'what a process with earlier settings makes for a destination': {
    before: async (world) => [await add(world), await world.pause('shop')],
    change: async (world) => {
      const made = await world.store.db.selectFrom('outbox').selectAll().execute();
      await changeDestination(world);
      const left = await world.store.db.selectFrom('outbox').select('destination').execute();
      const gone = made.filter((row) => !left.some(({ destination }) => destination === row.destination));
      expect(gone.length).toBeGreaterThan(0);
      await world.store.db.insertInto('outbox').values(gone).execute();
    },
    ask: (world) => newly(world, () => world.resume('shop'), world.announce),
    changed: [],
  },
  'a dead letter that is sent again': {
    before: async (world) => [await add(world), world.setAway(true)],
    change: async (world) => [await world.announce(), world.setAway(false), await changeDestination(world)],
    ask: (world) => newly(world, world.announce, async () => world.setAway(false), world.resend, world.announce),
    changed: [],
  },
  'a repetition': {
    before: add,
    change: async (world) => [await world.announce(), await changeDestination(world)],
    ask: (world) => newly(world, world.announce, () => world.repeat('shop'), world.perform, world.announce),
    // It is of the customer whose destination it is now.
    changed: ['77'],
  },
  'a record by the token of a destination': {
    before: add,
    change: async (world) => [await world.announce(), await changeDestination(world)],
    ask: async (world) => texts(await newlyFetched(world)),
    changed: [],
  },
  'an alert': {
    change: moveSubjects,
    ask: async (world) => texts((await world.told()).filter(([customer]) => customer === '418')),
    changed: [],
  },
};

/** Ways by which somebody reads, each with what comes out after the records became those of another customer. */
const readings: Readonly<Record<string, readonly [beginning: string, only: string, changed: readonly Named[]]>> = {
  // What was of a customer stays so.
  'an announcement by the administrative API': ['/announcements/', 'application/json', ['418']],
  'a delivery by the administrative API': ['/webhooks/', 'application/json', ['418']],
  'a page of the board': ['/subjects', 'text/html', []],
  'a file': ['/subjects', 'text/csv', []],
};

async function newlyFetched(world: World) {
  await world.announce();
  return await world.fetched();
}

describeOnSqlite('who is limited to a customer gets what is theirs, and nothing of others', (database) => {
  it.each(
    Object.keys(ways).flatMap((way) => [
      [way, 'as it was recorded'],
      [way, 'after a change'],
    ]),
  )('by %s, %s', async (name, when) => {
    const { before, change, ask, changed } = ways[name ?? ''] as Way;
    const isChanged = when === 'after a change';
    const world = await openWorld(database);
    await before?.(world);
    for (const [id, named] of recorded.entries()) await world.hold(id, [named]);
    if (isChanged) await change(world);
    const text = await ask(world);
    expect(recorded.filter((named) => text.includes(secretOf(named)))).toEqual(isChanged ? changed : ['418']);
  });

  it('by what their token reads, as it was recorded and after a change', async () => {
    const world = await openWorld(database);
    for (const [id, named] of recorded.entries()) await world.hold(id, [named]);
    const read = async (way: string) => {
      const [beginning = '', only = ''] = readings[way] ?? [];
      const text = texts(await world.readAs('418', { beginning, only }));
      return [way, ...recorded.filter((named) => text.includes(secretOf(named)))];
    };
    for (const way of Object.keys(readings)) expect(await read(way)).toEqual([way, '418']);
    await moveSubjects(world);
    for (const [way, [, , changed]] of Object.entries(readings)) expect(await read(way)).toEqual([way, ...changed]);
  });
});
