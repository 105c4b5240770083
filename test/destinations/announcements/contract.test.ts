import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { type AnnouncementInput, announcementData } from '../../../src/destinations/announcements/announcement-data.ts';
import { announcementSchema, createAnnouncement } from '../../../src/destinations/announcements/cloud-event.ts';
import { catalogue } from '../../../src/domain/catalogue/catalogue.ts';
import { announcementTypes } from '../../../src/domain/catalogue/subject.ts';
import { examples } from './examples.ts';

const bodiesOf = (inputs: readonly AnnouncementInput[]) => inputs.map((input) => createAnnouncement(input).body);

/** Adds an unknown member to an object and to every object in it. */
function withUnknown<T>(value: T): T {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withUnknown) as T;
  const members = Object.entries(value).map(([name, member]) => [name, withUnknown(member)]);
  return { ...Object.fromEntries(members), internalNote: '"not for merchants"' };
}

describe('announcements as merchants receive them', () => {
  it('have examples for every event and of every type', () => {
    const names = examples.flatMap(({ change: { event } }) => event?.name ?? []);
    expect(new Set(names)).toEqual(new Set(catalogue.map(({ name }) => name)));
    const types = bodiesOf(examples).map((body) => JSON.parse(body).type);
    expect(new Set(types)).toEqual(new Set(announcementTypes.keys()));
  });

  it('keep their bytes', async () => {
    await expect(`${bodiesOf(examples).join('\n')}\n`).toMatchFileSnapshot('examples.jsonl');
  });

  it('do not publish what their contract does not name', () => {
    const inputs = withUnknown(examples);
    expect(JSON.stringify(inputs).match(/internalNote/g)?.length).toBeGreaterThan(examples.length * 4);
    expect(bodiesOf(inputs)).toEqual(bodiesOf(examples));
  });

  it.each(examples.map((input) => [createAnnouncement(input).id, input] as const))(
    'meet their contract: %s',
    (_, input) => {
      const announcement = JSON.parse(createAnnouncement(input).body);
      expect(announcementSchema.parse(announcement)).toEqual(announcement);
    },
  );

  it('have a contract that refuses any other field', () => {
    const [announcement] = bodiesOf(examples).map((body) => JSON.parse(body));
    const isMet = (data: object) => announcementSchema.safeParse({ ...announcement, data }).success;
    expect(isMet(announcement.data)).toBe(true);
    expect(isMet({ ...announcement.data, internalNote: 1 })).toBe(false);
    expect(isMet({ ...announcement.data, snapshot: { status: 'open', internalNote: 1 } })).toBe(false);
  });

  it('have fields that the documentation names', async () => {
    const page = await readFile('docs/events.md', 'utf8');
    const [, fields = ''] = /^## Fields$(.*?)^## /ms.exec(page) ?? [];
    const missing = Object.keys(announcementData.shape).filter((name) => !fields.includes(`\`${name}\``));
    expect(missing).toEqual([]);
  });
});
