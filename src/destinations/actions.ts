import { z } from 'zod';
import { type Action, actionsWith } from '../admin/action.ts';
import { describeActor, done } from '../admin/audit.ts';
import { backIn, destinationAddress } from '../admin/board/addresses.ts';
import { text, textOf } from '../admin/queries.ts';
import { count } from '../admin/views/view.ts';
import type { DestinationRef } from '../domain/routing.ts';
import { found, Problem } from '../http/problem.ts';
import type { DestinationControl } from './destination-control.ts';
import { resendAnnouncement, type SendingParts, sendDestinationNow } from './sending-actions.ts';
import { settingsBody } from './settings.ts';
import type { Destinations } from './tables/destinations.ts';
import { announcements, auditTarget, destinationParams, unsentCount } from './views/destination-row.ts';

interface ControlParts {
  readonly destinationControl: DestinationControl;
  readonly destinations: Pick<Destinations, 'find' | 'countUnsent' | 'remove' | 'pause' | 'resume'>;
}

const defineAction = actionsWith<ControlParts>();

const of = <const Verb extends string>(verb: Verb) =>
  ({
    path: `/destinations/{tenant}/{name}/${verb}`,
    id: `${verb}Destination`,
    tag: 'Destinations',
    role: 'manage',
    params: destinationParams,
  }) as const;

const saved = z.object({
  name: z.string(),
  secret: z.string().exactOptional().describe('Shown this once.'),
  recordsToken: z.string().exactOptional().describe('Shown this once.'),
});

const find = async ({ destinations }: ControlParts, ref: DestinationRef) =>
  found(await destinations.find(ref), 'There is no such destination.');

async function findAdded(deps: ControlParts, ref: DestinationRef) {
  const destination = await find(deps, ref);
  if (destination.is_configured === 1) throw new Problem(409, `${ref.name} is configured; change it there.`);
  return destination;
}

const add = defineAction({
  ...of('add'),
  summary: 'Adds a destination, which gets announcements from now on',
  description:
    'Adds a destination while Dockline runs. It needs `DESTINATION_KEYS`, which encrypts the secrets. A secret that Dockline makes is in this answer and never shown again. Settings that do not fit are answered 400, each with its reason. 409 if the name is taken or `DESTINATION_KEYS` is missing.',
  body: settingsBody,
  answers: { 201: { SavedDestination: saved } },
  problems: [409],
  async find({ destinations }, ref) {
    if (await destinations.find(ref)) throw new Problem(409, `There is a destination ${ref.name} already.`);
    return ref;
  },
  run: async ({ destinationControl }, ref, { body }) => ({
    name: ref.name,
    ...(await destinationControl.put(ref, body, undefined)),
  }),
  audit: { action: 'add', target: auditTarget },
});

const change = defineAction({
  ...of('change'),
  summary: 'Replaces the settings of a destination that was added; its secrets stay unless you give others',
  description:
    'Send all settings, not only the changed ones; secrets may be left out. To replace a secret without a gap, give the new and the old one, and the new one alone once the receiver has it. 404 if there is no such destination, 409 if it belongs to the configuration, or if announcements wait that it would no longer want: `unsent` takes those out.',
  body: settingsBody.extend({
    unsent: z.boolean().default(false).describe('Also discards waiting announcements that no longer match its filter.'),
  }),
  answers: {
    200: {
      ChangedSettings: saved.extend({ withdrawn: count.describe('Announcements that waited and were taken out.') }),
    },
  },
  problems: [404, 409],
  find: findAdded,
  run: async ({ destinationControl }, ref, { body: { unsent, ...given } }) => ({
    name: ref.name,
    ...(await destinationControl.change(ref, given, { unsent })),
  }),
  audit: {
    action: 'change',
    target: auditTarget,
    end: ({ withdrawn }) => done(withdrawn > 0 ? `took out ${announcements(withdrawn)} that waited` : null),
  },
});

const rename = defineAction({
  ...of('rename'),
  summary: 'Renames a destination that was added; what waits for it, its secrets and its tokens stay',
  description:
    'Only the name changes: the old one is free, and whoever gets it later is another destination. 400 if the new name is not one, 404 if there is no such destination, 409 if it belongs to the configuration or the new name is taken.',
  body: z.strictObject({ to: text.describe('Its new name.') }),
  answers: { 200: { RenamedDestination: z.object({ name: text }) } },
  problems: [404, 409],
  find: findAdded,
  async run({ destinationControl }, ref, { body: { to } }) {
    await destinationControl.rename(ref, to);
    return { name: to };
  },
  audit: { action: 'rename', target: auditTarget, end: ({ name }) => done(`is ${name} now`) },
  back: ({ tenant, name }, form) =>
    destinationAddress({ tenant, name: text.safeParse((form as { to?: unknown } | null)?.to).data ?? name }),
  notices: { renamed: 'It has its new name, and is the same destination.' },
});

const remove = defineAction({
  ...of('remove'),
  summary: 'Removes a destination that was added',
  description:
    'Removes a destination that was added. 404 if there is no such destination, 409 if it belongs to the configuration, or has not acknowledged everything: `unsent` gives that up.',
  body: z.strictObject({ unsent: z.boolean().default(false).describe('Also what it has not acknowledged.') }),
  answers: {
    200: {
      RemovedDestination: z.object({ unsent: unsentCount('Announcements that it will not get') }),
    },
  },
  problems: [404, 409],
  find: findAdded,
  async run({ destinations }, ref, { body }) {
    const unsent = await destinations.countUnsent(ref);
    if (unsent > 0 && !body.unsent)
      throw new Problem(409, `Not acknowledged: ${announcements(unsent)}; remove them, too, with "unsent".`);
    await destinations.remove(ref);
    return { unsent };
  },
  audit: {
    action: 'remove',
    target: auditTarget,
    end: ({ unsent }) => done(unsent > 0 ? `with ${announcements(unsent)}` : null),
  },
});

const test = defineAction({
  ...of('test'),
  summary: 'Sends a destination a test announcement',
  description:
    'Sends one signed message of the type `dockline.test`, without retries, and returns what the receiver answered. A receiver that refuses it is answered 200 with `isDelivered` false. 404 if there is no such destination.',
  answers: {
    200: {
      TestedDestination: z.object({ isDelivered: z.boolean(), detail: z.string(), ms: count }),
    },
  },
  problems: [404],
  find,
  run: ({ destinationControl }, ref) => destinationControl.test(ref),
  audit: {
    action: 'test',
    target: auditTarget,
    end: ({ isDelivered, detail }) => (isDelivered ? done(detail) : { outcome: 'failed', detail }),
  },
  back: destinationAddress,
  notices: {
    tested: 'The test announcement was accepted.',
    'test-failed': 'The test announcement was rejected; the audit log has the answer.',
  },
  noticeOf: ({ isDelivered }) => (isDelivered ? 'tested' : 'test-failed'),
});

/** A form of the board has its page beside it. */
const switchBody = z.object({
  reason: textOf(200).exactOptional().describe('Reason, which is shown while it is paused.'),
});

const defineSwitch = (action: 'pause' | 'resume', notice: string, named: Pick<Action, 'summary' | 'description'>) =>
  defineAction({
    ...of(action),
    ...named,
    body: switchBody,
    answers: { 200: { ChangedDestination: z.object({ name: text }) } },
    problems: [404],
    find,
    async run({ destinations }, ref, { actor, body: { reason } }) {
      const because = `paused by ${describeActor(actor)}${reason === undefined ? '' : `: ${reason}`}`;
      await (action === 'pause' ? destinations.pause(ref, because) : destinations.resume(ref));
      return { name: ref.name, reason };
    },
    audit: { action, target: auditTarget, end: ({ reason }) => done(reason ?? null) },
    answer: ({ name }) => ({ status: 200, answer: { name } }),
    back: (ref, form) => backIn(form, destinationAddress(ref)),
    notices: { [`${action}d`]: notice },
  });

const pause = defineSwitch('pause', 'Paused. New announcements wait.', {
  summary: 'Pauses a destination: announcements wait, and none becomes a dead letter',
  description:
    'Use it while a receiver is being repaired or moved. Pausing a paused destination changes nothing but the reason. 404 if there is no such destination.',
});

const resume = defineSwitch('resume', 'Resumed. Announcements that were waiting are sent in order.', {
  summary: 'Resumes a destination: what was waiting is sent in order',
  description:
    'Resumes what a person has paused or Dockline has stopped; the time for retries begins anew. Resuming an active destination changes nothing. 404 if there is no such destination.',
});

export interface DestinationParts extends ControlParts, SendingParts {}

export const destinationActions: readonly Action<DestinationParts>[] = [
  resendAnnouncement,
  add,
  change,
  rename,
  remove,
  test,
  pause,
  resume,
  sendDestinationNow,
];
