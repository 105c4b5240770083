import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findGoProgram } from '../go-program.ts';

type Values = Readonly<Record<string, unknown>>;

const text = readFileSync('deploy/helm/values.yaml', 'utf8');
const values: Values = parse(text);
const schema = JSON.parse(readFileSync('deploy/helm/values.schema.json', 'utf8'));
const isTaken = new Ajv({ allowUnionTypes: true }).compile(schema);

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns each value with its path, objects included. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly [readonly string[], unknown])[] {
  const members = isObject(value) ? Object.entries(value) : [];
  return [[path, value], ...members.flatMap(([name, member]) => pathsOf(member, [...path, name]))];
}

/** Returns the defaults with the value at a path replaced, or added. */
function replace(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  const object = isObject(value) ? value : {};
  return { ...object, [name]: replace(object[name], rest, by) };
}

const all = pathsOf(values);

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** Returns the names of all values that a part of the schema has, as paths. */
function namesOf(part: Schema, path = ''): readonly string[] {
  const { properties = {} }: Schema = schema.definitions[part.$ref?.split('/').at(-1) ?? ''] ?? part;
  return Object.entries(properties).flatMap(([name, member]) => [path + name, ...namesOf(member, `${path}${name}.`)]);
}

describe('the schema of the values', () => {
  it('takes the defaults', () => expect(isTaken(values)).toBe(true));

  it('takes the values that the documents print', () => {
    const page = readFileSync('docs/deploying.md', 'utf8');
    const [, printed = ''] = /## Kubernetes\n.*?```yaml\n(.*?)```/s.exec(page) ?? [];
    expect([isTaken(parse(printed)), isTaken.errors]).toEqual([true, null]);
  });

  it.each(all.filter(([, value]) => isObject(value)).map(([path]) => path.join('.') || 'the root'))(
    'refuses a name in %s that there is not',
    (name) => {
      const path = name === 'the root' ? [] : name.split('.');
      expect(isTaken(replace(values, [...path, 'misspelt'], []))).toBe(false);
    },
  );

  it.each(all.map(([path, value]) => [path.join('.') || 'the root', path, value] as const))(
    'refuses another type for %s',
    (_, path, value) => expect(isTaken(replace(values, path, Array.isArray(value) ? 'text' : []))).toBe(false),
  );

  it.each([
    ['roles.worker.replicas', -1],
    ['roles.worker.replicas', 1.5],
    ['keda.worker.maxReplicas', 0],
    ['image.pullPolicy', 'Sometimes'],
    ['image.pullSecrets', ['registry']],
    ['image.tag', 1.2],
    ['secret', ''],
    ['env.INBOX_LIMIT', 1_000_000],
    ['env.announceUrl', 'https://merchant.test'],
    ['volumes', ['certificates']],
  ])('refuses %s: %j', (path, value) => expect(isTaken(replace(values, path.split('.'), value))).toBe(false));

  it('has no value that values.yaml lacks, where a comment leads each group', () => {
    const names = all.map(([path]) => path.join('.'));
    expect(namesOf(schema).filter((name) => !names.includes(name))).toEqual(['global']);
    for (const name of Object.keys(values)) expect(text).toMatch(new RegExp(`^#.*\\n(\\w+: .*\\n)*${name}:`, 'm'));
  });
});

const helm = findGoProgram('helm');

describe.runIf(helm)('Helm', () => {
  it('refuses a name that there is not', () => {
    for (const command of ['template', 'lint']) {
      const { status, stdout, stderr } = spawnSync(helm ?? '', [
        command,
        'deploy/helm',
        '--set',
        'roles.worker.replica=3',
      ]);
      const output = expect.stringContaining("additional properties 'replica' not allowed");
      expect({ status, output: `${stdout}${stderr}` }).toEqual({ status: 1, output });
    }
  });
});
