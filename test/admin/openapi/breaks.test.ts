import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createOpenApi } from '../../../src/app/admin-api.ts';
import { type Contract, findBreaks } from './breaks.ts';
import { publishedFile } from './document.ts';

const published: Contract = JSON.parse(readFileSync(publishedFile, 'utf8'));

/** Returns what a change of the published API breaks. */
// biome-ignore lint/suspicious/noExplicitAny: A change goes anywhere.
function breaksOf(change: (document: any) => unknown): readonly string[] {
  const changed = structuredClone(published);
  change(changed);
  return findBreaks(published, changed);
}

it('the administrative API breaks no client of the published one', () => {
  const breaks = findBreaks(published, JSON.parse(JSON.stringify(createOpenApi())));
  expect(breaks, 'CONTRIBUTING.md says how to break it on purpose').toEqual([]);
});

const schemaOf = (operation: { parameters: { name: string; schema: object }[] }, name: string): object =>
  operation.parameters.find((it) => it.name === name)?.schema ?? {};

describe('a comparison with the published API', () => {
  it.each<[string, Parameters<typeof breaksOf>[0], string]>([
    ['a call that is gone', ({ paths }) => delete paths['/backup'], 'POST /backup: is gone'],
    ['a method that is gone', ({ paths }) => delete paths['/bulk'].get, 'GET /bulk: is gone'],
    [
      'another role',
      ({ paths }) => {
        paths['/status'].get.security = [{ token: ['act'] }];
      },
      'GET /status: needs another role',
    ],
    [
      'a parameter that is gone',
      ({ paths }) => paths['/subjects'].get.parameters.shift(),
      'GET /subjects query tenant: is gone',
    ],
    [
      'a parameter that is required',
      ({ paths }) => (paths['/status'].get.parameters = [{ name: 'of', in: 'query', required: true, schema: {} }]),
      'GET /status query of: is required now',
    ],
    [
      'fewer values of a parameter',
      ({ paths }) => Object.assign(schemaOf(paths['/subjects'].get, 'kind'), { enum: ['order'] }),
      'GET /subjects query kind: the value "receipt"',
    ],
    [
      'a lower maximum',
      ({ paths }) => Object.assign(schemaOf(paths['/subjects'].get, 'limit'), { maximum: 100 }),
      'GET /subjects query limit: maximum 500, not 100',
    ],
    [
      'another type of a parameter',
      ({ paths }) => Object.assign(schemaOf(paths['/subjects'].get, 'after'), { type: 'integer' }),
      'GET /subjects query after: string, not integer',
    ],
    [
      'a member of a request that is required',
      ({ paths }) =>
        paths['/bulk'].post.requestBody.content['application/json'].schema.oneOf[0].required.push('filter'),
      'POST /bulk body.filter: is required now',
    ],
    [
      'a member of a request that is gone',
      ({ paths }) =>
        delete paths['/bulk'].post.requestBody.content['application/json'].schema.oneOf[0].properties.filter.properties
          .group,
      'POST /bulk body.filter.group: is gone',
    ],
    [
      'an answer that is gone',
      ({ paths }) => delete paths['/bulk/{id}'].get.responses[200],
      'GET /bulk/{id} 200: is gone',
    ],
    [
      'a member of an answer that is gone',
      ({ components }) => delete components.schemas.ListedSubject.properties.stageSince,
      'GET /subjects 200.items items.stageSince: is gone',
    ],
    [
      'a member of an answer that may be missing',
      ({ components }) => components.schemas.BackedUp.required.pop(),
      'POST /backup 200.bytes: is optional now',
    ],
    [
      'more values in an answer',
      ({ components }) => components.schemas.ListedAnnouncement.properties.state.enum.push('lost'),
      'GET /announcements 200.items items.state: the value "lost"',
    ],
    [
      'null in an answer',
      ({ components }) => Object.assign(components.schemas.BackedUp.properties.bytes, { type: ['integer', 'null'] }),
      'POST /backup 200.bytes: null, not integer',
    ],
  ])('finds %s', (_, change, found) => {
    expect(breaksOf(change)).toContain(found);
  });

  it.each<[string, Parameters<typeof breaksOf>[0]]>([
    [
      'a call',
      ({ paths }) => {
        paths['/more'] = paths['/status'];
      },
    ],
    ['a parameter', ({ paths }) => (paths['/status'].get.parameters = [{ name: 'of', in: 'query', schema: {} }])],
    ['a higher maximum', ({ paths }) => Object.assign(schemaOf(paths['/subjects'].get, 'limit'), { maximum: 1000 })],
    [
      'more values of a parameter',
      ({ paths }) => Object.assign(schemaOf(paths['/subjects'].get, 'kind'), { enum: undefined }),
    ],
    [
      'a member of an answer',
      ({ components }) => Object.assign(components.schemas.BackedUp.properties, { at: { type: 'string' } }),
    ],
    [
      'fewer values in an answer',
      ({ components }) => components.schemas.ListedAnnouncement.properties.state.enum.pop(),
    ],
    ['descriptions', ({ components }) => Object.assign(components.schemas.BackedUp, { description: 'Other words.' })],
  ])('allows %s', (_, change) => {
    expect(breaksOf(change)).toEqual([]);
  });
});
