import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { operations } from '../../../src/app/operations.ts';
import { createTestAnnouncement, TEST_TYPE } from '../../../src/destinations/announcements/cloud-event.ts';
import { announcementTypes } from '../../../src/domain/catalogue/subject.ts';
import { createOpenApi, file, writeDocument } from '../../../tools/openapi/document.ts';
import recorded from '../../../tools/openapi/examples.json' with { type: 'json' };
import { page, writePage } from '../../../tools/openapi/page.ts';
import * as examples from '../../destinations/announcements/example.ts';
import { openTemporaryStore } from '../../store/temporary-store.ts';
import { openAdmin } from '../open-admin.ts';
import { type NotedRoute, noteRoutes } from '../routes.ts';
import { errorsOf } from './check-answer.ts';

const document = JSON.parse(readFileSync(file, 'utf8'));

/** Access that the document demands: a token with a role, or that of a receiver. */
type Described = { readonly token?: [string] } | { readonly token?: undefined; readonly recordsToken: [] };

/** Writes a route as the document does, with its role. */
function describeRoute({ method, url, role }: NotedRoute): string {
  const path = url.replace(':subject/:revision/:milestone', '{id}').replaceAll(/:(\w+)/g, '{$1}');
  return `${method} ${path} ${role}`;
}

describe('the OpenAPI document', () => {
  it('has the examples that the rules make', () => {
    const isCurrent = readFileSync(examples.file, 'utf8') === examples.writeExamples();
    expect(isCurrent, `${examples.file} is behind the rules: npm run openapi writes it`).toBe(true);
  });

  it('is the one that the schemas make', () => {
    const isCurrent = readFileSync(file, 'utf8') === writeDocument();
    expect(isCurrent, `${file} is behind the schemas: npm run openapi writes it`).toBe(true);
  });

  it('makes the tables of the page of the API', () => {
    const isCurrent = readFileSync(page, 'utf8') === writePage();
    expect(isCurrent, `${page} is behind the calls: npm run openapi writes it`).toBe(true);
  });

  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const { info: _, ...rest } = document;
    expect(await validator.validate(rest)).toMatchObject({ valid: false });
  });

  it('has the routes of the administrative API, all of them, with their roles', async () => {
    const routes = noteRoutes();
    await openAdmin({ store: await openTemporaryStore() });
    const described = Object.entries<Record<string, { security: [Described] }>>(document.paths).flatMap(
      ([path, methods]) =>
        Object.entries(methods).map(
          ([method, { security }]) =>
            `${method.toUpperCase()} ${path} ${security[0].token ?? ('recordsToken' in security[0] && 'receiver')}`,
        ),
    );
    const served = routes.filter(({ url }) => !/^\/(board|$)/.test(url));
    expect(described.sort()).toEqual(served.map(describeRoute).sort());
  });

  it('has every parameter of a path', () => {
    for (const [path, methods] of Object.entries<Record<string, { parameters?: object[] }>>(document.paths)) {
      const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
      for (const { parameters = [] } of Object.values(methods)) {
        const inPath = parameters.filter((it) => 'in' in it && it.in === 'path').map((it) => 'name' in it && it.name);
        expect(inPath.sort(), path).toEqual(named);
      }
    }
  });

  it('is served to those who show the token', async () => {
    const token = 'a-token-of-this-very-test';
    const { get } = await openAdmin({ store: await openTemporaryStore(), token });
    expect(await get('/openapi.json')).toMatchObject({ status: 401 });
    const answer = await get('/openapi.json', { authorization: `Bearer ${token}` });
    expect(answer).toMatchObject({ status: 200, type: 'application/json', body: createOpenApi() });
  });

  it('can be downloaded from the board', async () => {
    const { url } = await openAdmin({ store: await openTemporaryStore() });
    const system = await (await fetch(`${url}/board/system`)).text();
    const [, address] = /href="([^"]*)" download/.exec(system) ?? [];
    expect(await (await fetch(`${url}${address}`)).json()).toEqual(createOpenApi());
  });
});

interface DescribedSchema {
  readonly description?: string;
  readonly oneOf?: readonly DescribedSchema[];
  readonly properties?: Readonly<Record<string, DescribedSchema>>;
}

interface Content {
  readonly 'application/json': { readonly schema: DescribedSchema; readonly example?: unknown };
}

interface Operation {
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly {
    readonly name?: string;
    readonly description?: string;
    readonly example?: unknown;
  }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** Calls, each with the address that its parts have in the document. */
const calls = Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method} ${path}`,
    ref: `#/paths/${path.replaceAll('/', '~1')}/${method}`,
    operation,
  })),
);

/** Returns the members of a body, and those of its filter, that lack a description. */
const undescribed = ({ oneOf = [], properties = {} }: DescribedSchema): string[] => [
  ...oneOf.flatMap(undescribed),
  ...Object.entries(properties).flatMap(([name, member]) => [
    ...(member.description ? [] : [name]),
    ...undescribed(member),
  ]),
];

describe('a call of the OpenAPI document', () => {
  it('is described beyond its summary, and has one tag of the document', () => {
    const tags = document.tags.map(({ name }: { name: string }) => name);
    for (const { name, operation } of calls) {
      expect(operation.description.length, name).toBeGreaterThan(operation.summary.length);
      expect(operation.tags, name).toEqual([expect.toBeOneOf(tags)]);
    }
  });

  it('says what it is refused with', () => {
    for (const { name, operation } of calls) {
      const own = Object.keys(operation.responses).filter((status) => ['404', '409', '410'].includes(status));
      const unsaid = own.filter((status) => !operation.description.includes(status));
      expect(unsaid, name).toEqual([]);
    }
  });

  it('describes each of its parameters, with an example that it takes', () => {
    for (const { name, ref, operation } of calls)
      for (const [index, parameter] of (operation.parameters ?? []).entries()) {
        if (parameter.name === undefined) continue;
        expect(parameter.description, `${name} ${parameter.name}`).toMatch(/^[A-Z].*\.$/);
        const errors = errorsOf(`${ref}/parameters/${index}/schema`, parameter.example);
        expect(errors, `${name} ${parameter.name}`).toEqual([]);
      }
  });

  it('describes each member of its body', () => {
    for (const { name, operation } of calls)
      expect(undescribed(operation.requestBody?.content['application/json'].schema ?? {}), name).toEqual([]);
  });

  it('has examples of its body and its answers, which their schemas allow', () => {
    for (const { name, ref, operation } of calls) {
      const bodies = [
        ...(operation.requestBody ? [[`${ref}/requestBody`, operation.requestBody.content] as const] : []),
        ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
          content?.['application/json'] ? [[`${ref}/responses/${status}`, content] as const] : [],
        ),
      ];
      for (const [
        place,
        {
          'application/json': { example },
        },
      ] of bodies) {
        expect(example, place).toBeDefined();
        expect(errorsOf(`${place}/content/application~1json/schema`, example), name).toEqual([]);
      }
    }
  });

  it('has no recorded example that belongs to no call', () => {
    const known = Object.values(operations).map(({ id }) => id);
    expect(Object.keys(recorded).filter((id) => !known.includes(id))).toEqual([]);
  });
});

describe('the webhooks of the OpenAPI document', () => {
  it('are all types of announcements, and the test of the connection', () => {
    expect(Object.keys(document.webhooks)).toEqual([...announcementTypes.keys(), TEST_TYPE]);
  });

  it('describe the examples of announcements in both modes, each its own type alone', () => {
    const lines = readFileSync('test/destinations/announcements/examples.jsonl', 'utf8').trim().split('\n');
    const ofChanges = lines.map((line) => JSON.parse(line));
    const examples = [...ofChanges, JSON.parse(createTestAnnouncement('9104').body)];
    const structured = 'application/cloudevents+json';
    const binary = 'application/json';
    const refOf = (type: string, mode = structured) =>
      `#/webhooks/${type}/post/requestBody/content/${mode.replace('/', '~1')}/schema`;
    for (const type of Object.keys(document.webhooks)) {
      const own = examples.find((it) => it.type === type);
      const other = examples.find((it) => it.type !== type);
      const { content } = document.webhooks[type].post.requestBody;
      expect(content[structured].example.type).toBe(type);
      for (const mode of [structured, binary]) {
        expect(errorsOf(refOf(type, mode), content[mode].example), type).toEqual([]);
      }
      expect(errorsOf(refOf(type), own), type).toEqual([]);
      expect(errorsOf(refOf(type), other), type).toContainEqual(
        expect.objectContaining({ instancePath: '/type', keyword: 'const' }),
      );
    }
    expect(ofChanges.flatMap((example) => errorsOf('#/components/schemas/Announcement', example))).toEqual([]);
  });
});

describe('a check against the document', () => {
  it.each([
    ['a member too many', { ingested: 1, more: 1 }],
    ['a member too few', {}],
    ['a member of another type', { ingested: '1' }],
  ])('finds %s', (_, answer) => {
    expect(errorsOf('#/components/schemas/Reprocessed', answer)).toHaveLength(1);
  });
});
