import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import {
  announcementSchema,
  CONTRACT_VERSION,
  describeData,
  type JsonSchema,
  standaloneSchema,
} from '../../../src/destinations/announcements/cloud-event.ts';
import { announcementTypes } from '../../../src/domain/catalogue/subject.ts';
import { exampleOf } from './example.ts';

const types = [...announcementTypes.keys()];
const examples = [
  ...readFileSync('test/destinations/announcements/examples.jsonl', 'utf8').trim().split('\n'),
  ...types.map(exampleOf),
].map((text) => JSON.parse(text));

const ajv = new Ajv2020({ strictTypes: false, formats: { 'date-time': true } });

describe('the schema that an announcement names', () => {
  it('describes the data of its type, and of no other', () => {
    for (const type of types) {
      const schema = describeData(type) ?? {};
      const isData = ajv.compile(schema);
      for (const { dataschema, data, ...example } of examples) {
        expect([dataschema === schema.$id, isData(data)]).toEqual([example.type === type, example.type === type]);
      }
    }
  });

  it('names every member that its type has, and none of another kind', () => {
    for (const { type, data } of examples) {
      const named = Object.keys(describeData(type)?.properties ?? {});
      expect(
        Object.keys(data).filter((name) => !named.includes(name)),
        type,
      ).toEqual([]);
    }
    const seen = new Set(examples.flatMap(({ data }) => (data.kind === 'stock' ? Object.keys(data) : [])));
    const rare = ['recordLags', 'missing', 'recordsAt', 'wholeAt', 'replay'];
    const named = Object.keys(describeData('dockline.stock.changed')?.properties ?? {});
    expect(named.filter((name) => !seen.has(name) && !rare.includes(name))).toEqual([]);
  });

  it('is that of a type which there is', () => {
    expect(['dockline.test', 'dockline.receipt.packed', ''].map(describeData)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

/** Paths of the members that a schema names. */
function pathsIn(schema: JsonSchema, prefix = ''): string[] {
  const inner = [schema.items, ...(schema.anyOf ?? [])].filter((it) => typeof it === 'object');
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, member]) => [
      prefix + name,
      ...pathsIn(member as JsonSchema, `${prefix}${name}.`),
    ]),
    ...inner.flatMap((one) => pathsIn(one as JsonSchema, prefix)),
  ];
}

describe(`version ${CONTRACT_VERSION} of the contract`, () => {
  // Lists of values and descriptions are left out of the file: they may change. After a breaking change raise the version and add a file.
  const published: JsonSchema = JSON.parse(
    readFileSync(`test/destinations/announcements/contract-${CONTRACT_VERSION}.json`, 'utf8'),
  );

  it('is kept by every announcement as it was first published', () => {
    const keeps = ajv.compile(published);
    for (const example of examples) expect(keeps(example), JSON.stringify(keeps.errors)).toBe(true);
    const { sequence: _, ...without } = examples[0];
    expect([without, { ...examples[0], data: { ...examples[0].data, revision: '1' } }].map((it) => keeps(it))).toEqual([
      false,
      false,
    ]);
  });

  it('has lost no member', () => {
    const current = new Set(pathsIn(standaloneSchema(announcementSchema)));
    expect(current.size).toBeGreaterThan(60);
    expect(pathsIn(published).filter((path) => !current.has(path))).toEqual([]);
  });
});
