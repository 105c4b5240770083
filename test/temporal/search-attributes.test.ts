import { defineSearchAttributeKey } from '@temporalio/common';
import { afterAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { searchAttributes } from '../../src/domain/search-attributes.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.ts';
import { createNamespace } from '../support/namespace.ts';

const { connection, client, close } = openTemporal({ address: inject('temporalAddress'), namespace: 'default' });
afterAll(close);

describe('registerSearchAttributes', () => {
  it('adds all of them to a namespace, and is idempotent', async () => {
    const namespace = await createNamespace();
    await registerSearchAttributes(connection, namespace);
    await registerSearchAttributes(connection, namespace);
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace });
    expect(Object.keys(customAttributes).sort()).toEqual(Object.keys(searchAttributes).sort());
  });

  const keyword = 2;
  const int = 3;
  it.each([
    ['Stage', int, 'KEYWORD'],
    ['Attention', keyword, 'KEYWORD_LIST'],
  ])('names %s if it exists with another type', async (name, type, wanted) => {
    const namespace = await createNamespace();
    await connection.operatorService.addSearchAttributes({ namespace, searchAttributes: { [name]: type } });
    await expect(registerSearchAttributes(connection, namespace)).rejects.toThrow(
      `${name} exists in Temporal with another type than ${wanted};`,
    );
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
