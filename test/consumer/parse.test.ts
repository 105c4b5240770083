import { readFile } from 'node:fs/promises';
import { describe, expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type {
  Announcement,
  AnnouncementData,
  Json,
  Kind,
  KnownAnnouncement,
  Milestone,
} from '../../consumer/src/announcement.ts';
import { milestonesOf } from '../../consumer/src/milestones.ts';
import { parse } from '../../consumer/src/parse.ts';
import { type announcementSchema, createTestAnnouncement } from '../../src/destinations/announcements/cloud-event.ts';
import { type AnnouncementType, announcementTypes } from '../../src/domain/catalogue/subject.ts';
import type { orderAdvice } from '../../src/domain/kinds/order/advice.ts';

type Contract = z.infer<typeof announcementSchema>;
type DeepReadonly<T> = T extends object ? { readonly [K in keyof T]: DeepReadonly<T[K]> } : T;
/** Members that are records of the warehouse: any JSON. */
type RecordName = Kind | 'orderItem' | 'customer' | 'user' | 'pickList';

const lines = (await readFile('test/destinations/announcements/examples.jsonl', 'utf8')).trim().split('\n');
const knownTypes = Object.entries(milestonesOf).flatMap(([kind, some]) => some.map((it) => `dockline.${kind}.${it}`));

const parseJson = (value: unknown) => parse(Buffer.from(JSON.stringify(value)));
const codeOf = (run: () => unknown): string => {
  try {
    run();
    return 'parsed';
  } catch (error) {
    return (error as { code: string }).code;
  }
};
const [line = ''] = lines;
const example = JSON.parse(line);

describe('the types of announcements', () => {
  it('are those of the contract, member by member', () => {
    expectTypeOf<keyof AnnouncementData>().toEqualTypeOf<keyof Contract['data']>();
    expectTypeOf<Omit<AnnouncementData, RecordName | 'advice'>>().toEqualTypeOf<
      DeepReadonly<Omit<Contract['data'], RecordName | 'advice'>>
    >();
    expectTypeOf<AnnouncementData<'order'>['advice']>().toEqualTypeOf<
      DeepReadonly<ReturnType<typeof orderAdvice.read>> | undefined
    >();
    expectTypeOf<Contract['data'][RecordName]>().toEqualTypeOf<Json | undefined>();
    expectTypeOf<AnnouncementData[RecordName]>().toEqualTypeOf<Json | undefined>();
    expectTypeOf<Omit<KnownAnnouncement<Kind, Milestone>, 'data' | 'type'>>().toEqualTypeOf<
      DeepReadonly<Omit<Contract, 'data' | 'type'>>
    >();
  });

  it('are all that are announced', () => {
    expect(new Set(knownTypes)).toEqual(new Set(announcementTypes.keys()));
    expectTypeOf<Exclude<Announcement['type'], 'unknown'>>().toEqualTypeOf<AnnouncementType>();
  });

  it('narrow the data', () => {
    const announcement = parseJson(example);
    if (announcement.type !== 'dockline.order.packed') return;
    expectTypeOf(announcement.data.kind).toEqualTypeOf<'order'>();
    expectTypeOf(announcement.data.milestone).toEqualTypeOf<'packed'>();
  });
});

describe('parsing an announcement', () => {
  it('reads every example as it is', () => {
    for (const text of lines) expect(parse(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it('keeps members that it does not know', () => {
    const later = { ...example, traceparent: '00-1', data: { ...example.data, promisedBy: '2026-02-12' } };
    expect(parseJson(later)).toEqual(later);
    const values = {
      ...example,
      data: { ...example.data, stage: 'onTheMoon', cause: 'rumour', resourceFrom: 'memory' },
    };
    expect(parseJson(values)).toEqual(values);
  });

  it('reads a type that it does not know, and a test of the connection, as unknown', () => {
    const teleported = { ...example, type: 'dockline.order.teleported', data: 'anything' };
    expect(parseJson(teleported)).toEqual({ ...teleported, type: 'unknown', sentType: 'dockline.order.teleported' });
    const { body } = createTestAnnouncement('9104');
    const test = parse(Buffer.from(body));
    expect(test).toMatchObject({ type: 'unknown', sentType: 'dockline.test', data: { tenant: '9104' } });
    expect(test.sequence).toBeUndefined();
  });

  it.each([
    ['no JSON', Buffer.from('{"id":')],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['nothing', Buffer.alloc(0)],
    ['null', Buffer.from('null')],
    ['a list', Buffer.from('[]')],
    ['an object without a type', Buffer.from('{"id":"1","source":"/dockline/1"}')],
    ['an inexact sequence', Buffer.from(JSON.stringify({ ...example, sequence: '9007199254740993' }))],
    ['a sequence without the key of its subject', Buffer.from(JSON.stringify({ ...example, partitionkey: undefined }))],
    [
      'a known type without a sequence',
      Buffer.from(JSON.stringify({ ...example, sequence: undefined, partitionkey: undefined })),
    ],
    ['a known type without data', Buffer.from(JSON.stringify({ ...example, data: null }))],
  ])('refuses %s', (_, body) => {
    expect(codeOf(() => parse(body))).toBe('ERR_MALFORMED');
  });
});
