import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';
import { announcementTypes, type SubjectKind } from '../../src/domain/catalogue/subject.ts';
import { adviceForm } from '../../src/domain/kinds/advice.ts';
import { mainKind } from '../../src/domain/kinds/kinds.ts';
import { describeAnnouncement } from '../../tools/vectors/announcement-schema.ts';
import { contractFiles } from '../../tools/vectors/contract-files.ts';
import { exampleOf } from '../destinations/announcements/example.ts';
import { announcementOf } from './workflow/announcements.ts';

const schema = JSON.parse(readFileSync('consumer/announcement.schema.json', 'utf8'));

it('is the contract, or else `npm run vectors` writes it', () => {
  expect(schema).toEqual(describeAnnouncement());
});

it('is told in other words in files that `npm run vectors` writes as well', () => {
  for (const [path, text] of Object.entries(contractFiles())) expect(readFileSync(path, 'utf8'), path).toBe(text);
});

/** JSON bodies of a page, in its order. */
const bodiesOf = (page: string) =>
  [...readFileSync(page, 'utf8').matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text));

it('describes every body of the pages about announcements, also where it is an advice alone', () => {
  const isAnnouncement = new Ajv2020({ strictTypes: false, formats: { 'date-time': true } }).compile(schema);
  const bodies = ['README.md', 'docs/events.md'].flatMap(bodiesOf);
  expect(bodies.length).toBeGreaterThan(1);
  for (const body of bodies) {
    const isWhole = 'specversion' in body;
    if (isWhole) expect(isAnnouncement(body), JSON.stringify(isAnnouncement.errors)).toBe(true);
    const kind: SubjectKind = isWhole ? body.data.kind : mainKind;
    const advice = isWhole ? body.data.advice : body;
    expect(adviceForm(kind).parse(advice)).toEqual(advice);
  }
});

it('describes what is sent, of every type, and refuses what is no announcement', () => {
  const isAnnouncement = new Ajv2020({ strictTypes: false, formats: { 'date-time': true } }).compile(schema);
  const sent = announcementOf(5, 'packed', { isReplay: true });
  const examples = [...announcementTypes.keys()].map((type) => JSON.parse(exampleOf(type)));
  for (const announcement of [sent, announcementOf(1, 'created'), ...examples]) {
    expect(isAnnouncement(announcement), JSON.stringify(isAnnouncement.errors)).toBe(true);
  }
  const { partitionkey: _, ...without } = sent;
  const others = [without, { ...sent, data: null }, { ...sent, data: { ...sent.data, previous: '4' } }];
  expect(others.map((it) => isAnnouncement(it))).toEqual([false, false, false]);
});
