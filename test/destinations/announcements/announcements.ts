import fc from 'fast-check';
import type { AnnouncementInput } from '../../../src/destinations/announcements/announcement-data.ts';
import { createAnnouncement } from '../../../src/destinations/announcements/cloud-event.ts';
import { subjectKinds } from '../../../src/domain/catalogue/subject.ts';
import type { Change } from '../../../src/domain/lifecycle/lifecycle.ts';
import { type Milestone, milestones } from '../../../src/domain/lifecycle/milestone.ts';
import type { OutgoingAnnouncement } from '../../../src/domain/outgoing.ts';
import { type Permitted, permitAnyone } from '../../../src/domain/permission.ts';
import { lifecycleOf, orderOf } from '../../support/make.ts';

/** A key that only tests have. */
export const secret = `whsec_${Buffer.from('twenty-four bytes or more!').toString('base64')}`;

/** An order that was packed at 10:30. */
export const packed: AnnouncementInput = {
  subject: orderOf('31004581'),
  change: {
    revision: 3,
    milestone: 'packed',
    time: Date.UTC(2026, 1, 11, 10, 30),
    cause: 'event',
    late: false,
    event: {
      id: '9104:187450321',
      name: 'OrderPackComplete',
      milestone: 'packed',
      time: Date.UTC(2026, 1, 11, 10, 30),
      plan: ['getOrder', 'getUser'],
    },
  },
  lifecycle: lifecycleOf({
    revision: 3,
    registers: { pack: { milestone: 'packed', time: Date.UTC(2026, 1, 11, 10, 30), eventId: '9104:187450321' } },
    snapshot: { status: 'open', fullyAllocated: true, pickDone: true, packStarted: true, packDone: true },
  }),
  resources: {},
  resourceFrom: null,
  missing: [],
};

/** The announcement of a change as a destination gets it first. */
export const outgoingOf = (input: AnnouncementInput): Permitted<OutgoingAnnouncement> =>
  permitAnyone({ ...createAnnouncement(input), previous: null, isReplay: false });

const name = fc.string({ minLength: 1 });
const time = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
const milestone = fc.constantFrom(...(Object.keys(milestones) as Milestone[]));
const resource = fc.option(fc.json(), { nil: undefined });

const change: fc.Arbitrary<Change> = fc
  .record({
    revision: fc.integer({ min: 1 }),
    milestone,
    time,
    cause: fc.constantFrom('event', 'snapshot', 'clock'),
    late: fc.boolean(),
    event: fc.record({ id: name, name, milestone, time, plan: fc.constant([]) }),
  })
  .map(({ event, ...rest }) => (rest.cause === 'event' ? { ...rest, event } : rest));

/** Any change of any subject. */
export const anyInput: fc.Arbitrary<AnnouncementInput> = fc.record({
  subject: fc.record({ tenant: name, kind: fc.constantFrom(...subjectKinds), id: name }),
  change,
  lifecycle: fc.constant(packed.lifecycle),
  resources: fc
    .record({
      order: resource,
      receipt: resource,
      stock: resource,
      customer: resource,
      user: resource,
      pickList: resource,
    })
    .map((all) => Object.fromEntries(Object.entries(all).filter(([, text]) => text !== undefined))),
  resourceFrom: fc.constantFrom('warehouse', 'earlier', 'message', null),
  missing: fc.subarray(['order', 'user', 'customer', 'pickList']),
});
