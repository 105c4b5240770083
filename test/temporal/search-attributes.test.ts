import { defineSearchAttributeKey } from '@temporalio/common';
import { msToTs } from '@temporalio/common/lib/time.js';
import { afterAll, describe, expect, inject, it } from 'vitest';
import { searchAttributes } from '../../src/domain/search-attributes.ts';
import { openTemporal } from '../../src/temporal/connection.ts';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.ts';

const { connection, client, close } = openTemporal({ address: inject('temporalAddress'), namespace: 'default' });
afterAll(close);

/** Makes a namespace without Dockline's search attributes. */
async function createNamespace(namespace: string) {
  await connection.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: msToTs('1 day') });
  const list = () => connection.operatorService.listSearchAttributes({ namespace });
  await expect
    .poll(
      () =>
        list().then(
          () => true,
          () => false,
        ),
      { timeout: 20_000 },
    )
    .toBe(true);
}

describe('registerSearchAttributes', () => {
  it('gives a namespace all of them, and changes nothing the second time', async () => {
    await createNamespace('bare');
    await registerSearchAttributes(connection, 'bare');
    await registerSearchAttributes(connection, 'bare');
    const { customAttributes } = await connection.operatorService.listSearchAttributes({ namespace: 'bare' });
    expect(Object.keys(customAttributes).sort()).toEqual(Object.keys(searchAttributes).sort());
  });

  it('says which one exists with another type', async () => {
    await createNamespace('clashing');
    await connection.operatorService.addSearchAttributes({ namespace: 'clashing', searchAttributes: { Stage: 3 } });
    await expect(registerSearchAttributes(connection, 'clashing')).rejects.toThrow(
      'Stage exists in Temporal with another type',
    );
  });

  it('makes workflows findable by them', async () => {
    const handle = await client.workflow.start('sleeper', {
      taskQueue: 'nobody',
      workflowId: 'findable',
      typedSearchAttributes: [{ key: defineSearchAttributeKey('Stage', 'KEYWORD'), value: 'packed' }],
    });
    const ids = async () => {
      const found = [];
      for await (const { workflowId } of client.workflow.list({ query: "Stage = 'packed'" })) found.push(workflowId);
      return found;
    };
    await expect.poll(ids, { timeout: 10_000 }).toContain('findable');
    await handle.terminate();
  });
});
