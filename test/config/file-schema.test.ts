import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { SCHEMA as file } from '../../tools/settings/files.ts';

const schema = JSON.parse(readFileSync(file, 'utf8'));
const validate = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
const example = readFileSync('dockline.example.yaml', 'utf8');

/** Returns where the example is wrong once a text of it is replaced. */
function problemsOf(before: string, after: string): string[] {
  expect(example).toContain(before);
  validate(parse(example.replace(before, after)));
  return (validate.errors ?? []).map(({ instancePath, params }) =>
    [instancePath, ...Object.values(params)].filter((it) => typeof it === 'string').join(' '),
  );
}

describe('the JSON Schema of the file of settings', () => {
  it('is named by the example, which it fits', () => {
    expect(example.split('\n')[0]).toBe(`# yaml-language-server: $schema=${file}`);
    expect(problemsOf('', '')).toEqual([]);
  });

  it.each([
    ['callsPerSecond: 2', 'callsPerSeconds: 2', '/warehouses/1 callsPerSeconds'],
    ['callsPerSecond: 2', 'callsPerSecond: many', '/warehouses/1/callsPerSecond'],
    ['orderDetail: [orderItems', 'orderDetail: [orderItem', '/warehouses/1/orderDetail/0'],
    ['timeZone: America/New_York', 'timezone: America/New_York', '/calendars/columbus timezone'],
    ['defaults:\n', 'defaults:\n  colour: blue\n', '/defaults colour'],
    ['warehouses:\n', 'houses:\n', 'houses'],
    ['kind: slack', 'kind: slick', '/alerts/channels/0/kind'],
    ['holdSeconds: 120', 'holdSecond: 120', '/alerts holdSecond'],
  ])('finds the mistake %j → %j', (before, after, place) => {
    expect(problemsOf(before, after).join('\n')).toContain(place);
  });

  it.each([
    ['callsPerSecond: 2', `callsPerSecond: \${RATE}`],
    ['- tenant: 9104', '- tenant: "9104"'],
  ])('accepts what the reader does: %j → %j', (before, after) => {
    expect(problemsOf(before, after)).toEqual([]);
  });

  it('describes every key', () => {
    const silent: string[] = [];
    const visit = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null) return;
      for (const [key, value] of Object.entries(node)) visit(value, `${path}/${key}`);
      if (!('type' in node && 'properties' in node)) return;
      for (const [key, value] of Object.entries(node.properties as object))
        if (!value.description && !/^#\/properties\/defaults\//.test(value.$ref)) silent.push(`${path}/${key}`);
    };
    visit(schema, '');
    expect(silent).toEqual([]);
  });

  it('has the keys of every kind of destination and channel and of every scheme', () => {
    const { defaults, warehouses, alerts } = schema.properties;
    const { destinations, webhook } = defaults.properties;
    expect(warehouses.items.properties.webhook).toEqual({ $ref: '#/properties/defaults/properties/webhook' });
    const keysOf = ({ oneOf }: { oneOf: { properties: object }[] }) => oneOf.map((it) => Object.keys(it.properties));
    expect(keysOf(destinations.items)).toEqual([
      expect.arrayContaining(['name', 'kind', 'url', 'secret', 'headers']),
      expect.arrayContaining(['name', 'kind', 'url', 'exchange']),
      expect.arrayContaining(['name', 'kind', 'url', 'workflowType']),
    ]);
    expect(keysOf(webhook).map((it) => it.includes('token'))).toContain(true);
    expect(keysOf(alerts.properties.channels.items).flat()).toEqual(
      expect.arrayContaining(['name', 'kind', 'url', 'server', 'secret']),
    );
  });
});
