import { defineSearchAttributeKey } from '@temporalio/common';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { searchAttributeChoices } from '../../src/domain/search-attributes.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { createSearchAttributes, registerSearchAttributes } from '../../src/temporal/search-attributes.ts';
import { createNamespace } from '../support/namespace.ts';
import { startSystem } from '../support/system.ts';

const { connection, client, close } = openTemporal({ address: inject('temporalAddress'), namespace: 'default' });
afterAll(close);

const all = searchAttributeChoices.all;
const addTo = (namespace: string, types: Readonly<Record<string, number>>) =>
  connection.operatorService.addSearchAttributes({ namespace, searchAttributes: types });
const namesIn = async (namespace: string) =>
  Object.keys((await connection.operatorService.listSearchAttributes({ namespace })).customAttributes).sort();

describe('registerSearchAttributes', () => {
  it.each(['all', 'attention', 'none'] as const)('adds those of the choice %s, and is idempotent', async (choice) => {
    const namespace = await createNamespace();
    const names = searchAttributeChoices[choice];
    expect(await registerSearchAttributes(connection, namespace, names)).toEqual([]);
    expect(await registerSearchAttributes(connection, namespace, names)).toEqual([]);
    expect(await namesIn(namespace)).toEqual([...names].sort());
  });

  const keyword = 2;
  const int = 3;
  it.each([
    ['Stage', int, 'KEYWORD'],
    ['Attention', keyword, 'KEYWORD_LIST'],
  ] as const)('leaves out %s if it exists with another type', async (name, type, wanted) => {
    const namespace = await createNamespace();
    await addTo(namespace, { [name]: type });
    const because = `it exists with another type than ${wanted}`;
    expect(await registerSearchAttributes(connection, namespace, all)).toEqual([{ name, because }]);
    expect(await namesIn(namespace)).toEqual([...all].sort());
  });

  it('leaves out those for which there is no room', async () => {
    const namespace = await createNamespace();
    await addTo(namespace, Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`Other${n}`, keyword])));
    const attributes = createSearchAttributes({ connection, namespace, choice: 'all' });
    await attributes.register();
    const lacking = attributes.lacking();
    expect(lacking.map(({ name }) => name)).toEqual(['Customer', 'Facility', 'ReferenceNumber', 'Lateness']);
    expect(lacking[0]?.because).toContain('cannot have more than 10');
    expect(attributes.kept()).toEqual(['Stage', 'Attention', 'DueAt', 'LastEventTime']);
  });

  it('makes workflows searchable by them, by each of several reasons for attention', async () => {
    const handle = await client.workflow.start('sleeper', {
      taskQueue: 'nobody',
      workflowId: 'findable',
      typedSearchAttributes: [
        { key: defineSearchAttributeKey('Stage', 'KEYWORD'), value: 'packed' },
        { key: defineSearchAttributeKey('Attention', 'KEYWORD_LIST'), value: ['stalled', 'unannounced'] },
      ],
    });
    onTestFinished(async () => void (await handle.terminate()));
    const ids = async (query: string) => {
      const found = [];
      for await (const { workflowId } of client.workflow.list({ query })) found.push(workflowId);
      return found;
    };
    for (const query of ["Stage = 'packed'", "Attention = 'stalled'", "Attention = 'unannounced'"]) {
      await expect.poll(() => ids(query)).toContain('findable');
    }
    expect(await ids("Attention = 'refused'")).not.toContain('findable');
  });
});

it('an order is processed in a namespace without room for search attributes', async () => {
  const namespace = await createNamespace();
  await addTo(namespace, Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`Other${n}`, 2])));
  const { simulator, announced, service } = await startSystem({ env: { TEMPORAL_NAMESPACE: namespace } });
  const orderId = simulator.createOrder();
  await simulator.emit(orderId, 'OrderCreate');
  await expect.poll(() => announced(orderId)).toEqual(['1/created']);
  expect(service().worker.isReady()).toBe(true);
});
