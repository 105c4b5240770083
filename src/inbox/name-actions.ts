import { z } from 'zod';
import { actionsWith } from '../admin/action.ts';
import { describeActor, done } from '../admin/audit.ts';
import { explained, textOf } from '../admin/queries.ts';
import { count, type Sources } from '../admin/views/view.ts';
import { catalogue, families, findEntry, normalizeName } from '../domain/catalogue/catalogue.ts';
import { type EventName, IGNORE, LONGEST_NAME, MOST_NAMES, nameIn, nameKey } from '../domain/quarantine.ts';
import { found, Problem } from '../http/problem.ts';
import type { ReprocessParts } from './reprocess.ts';
import type { EventNames } from './tables/event-names.ts';
import { readReason } from './tables/quarantined.ts';
import { countReasons } from './views/quarantine.ts';

export interface NameParts extends ReprocessParts {
  readonly eventNames: Pick<EventNames, 'put' | 'remove' | 'meanings'> & {
    /** Meaning by configuration or catalogue. */
    readonly known: (name: EventName) => string | undefined;
  };
}

const defineAction = actionsWith<NameParts>();

/** In a path: messages that name no family, or several. */
const ANY_FAMILY = 'any';

const meaning = z.enum([IGNORE, ...catalogue.map(({ name }) => name)]);

const params = z.object({
  family: z.enum([ANY_FAMILY, ...families]).describe('What the messages are about; `any` if they do not say it.'),
  name: explained(textOf(LONGEST_NAME), 'Name in any spelling.', 'OrderConfirmV2'),
});

const accepted = z.object({
  key: z.string().describe('Name as it is compared: `order/ordershipped`, or `ordershipped` for any family.'),
  as: z.string(),
  ingested: count.describe('Webhooks that had waited for it.'),
});

/** @throws Problem 409 for a name that cannot be told from others */
async function find(_parts: NameParts, { family, name }: z.output<typeof params>): Promise<EventName> {
  if (normalizeName(name) === '') throw new Problem(409, 'The name has no letter from a to z and no digit.');
  return { name, family: family === ANY_FAMILY ? undefined : family };
}

const target = (name: EventName) => ({ type: 'event-name', id: nameKey(name) }) as const;

/** The name is meant in any spelling; returns the number of webhooks that are understood now. */
async function reprocess(deps: ReprocessParts & Pick<Sources, 'reads'>, { name }: EventName): Promise<number> {
  let ingested = 0;
  for (const code of ['unknownName', 'ignoredName'] as const)
    for (const reason of await countReasons(deps, { code }))
      if (normalizeName(nameIn(readReason(reason))?.name ?? '') === normalizeName(name))
        ingested += await deps.reprocess({ quarantine_code: reason.code, quarantine_data: reason.data });
  return ingested;
}

const accept = defineAction({
  path: '/event-names/{family}/{name}/accept',
  id: 'acceptEventName',
  summary: 'Accepts an unknown event name as a known event, or ignores it',
  tag: 'Webhooks',
  description:
    'Use it when a warehouse has renamed an event: webhooks of this name count as the given event from now on, and those in quarantine are ingested. `ignore` drops them instead. 409 if the name has a meaning already or no letter or digit, or the event belongs to another family.',
  role: 'manage',
  params,
  body: z.strictObject({ as: meaning.describe('Event that it means, or `ignore`.') }),
  answers: { 200: { AcceptedEventName: accepted } },
  problems: [409],
  async find(deps, given) {
    const name = await find(deps, given);
    const known = deps.eventNames.known(name);
    if (known === undefined) return name;
    throw new Problem(409, `It means ${known} already; WEBHOOK_EVENT_ALIASES can give it another meaning.`);
  },
  async run(deps, name, { body: { as }, actor }) {
    const { eventNames } = deps;
    const [key, subject] = [nameKey(name), findEntry(as)?.subject];
    if (name.family !== undefined && as !== IGNORE && subject !== name.family)
      throw new Problem(409, `${as} is no event of the family ${name.family}.`);
    const meanings = await eventNames.meanings();
    if (!Object.hasOwn(meanings, key) && Object.keys(meanings).length >= MOST_NAMES)
      throw new Problem(409, `There are ${MOST_NAMES} names already; forget one first.`);
    await eventNames.put(key, as, describeActor(actor));
    return { key, as, ingested: await reprocess(deps, name) };
  },
  audit: { action: 'accept-name', target, end: ({ as, ingested }) => done(`as ${as}, ${ingested} ingested`) },
  back: () => '/board/event-names',
  notices: {
    'name-accepted': 'Accepted. Webhooks that were waiting for it are being recorded.',
    'name-ignored': 'Webhooks of this name are ignored.',
  },
  noticeOf: ({ as }) => (as === IGNORE ? 'name-ignored' : 'name-accepted'),
});

const forget = defineAction({
  path: '/event-names/{family}/{name}/forget',
  id: 'forgetEventName',
  summary: 'Takes back an accepted or ignored event name',
  tag: 'Webhooks',
  description:
    'For a name that was accepted by mistake. What was announced stays announced; new webhooks of the name are quarantined again. 404 if nobody has given the name a meaning, 409 if the name has no letter or digit.',
  role: 'manage',
  params,
  answers: { 200: { ForgottenEventName: accepted.pick({ key: true }).extend({ was: z.string() }) } },
  problems: [404, 409],
  find,
  async run(deps, name) {
    const key = nameKey(name);
    const was = found(await deps.eventNames.remove(key), 'Nobody has given it a meaning.');
    await reprocess(deps, name);
    return { key, was };
  },
  audit: { action: 'forget-name', target, end: ({ was }) => done(`was ${was}`) },
  back: () => '/board/event-names',
  notices: { 'name-forgotten': 'Forgotten. New webhooks of this name go to quarantine.' },
});

export const nameActions = [accept, forget];
