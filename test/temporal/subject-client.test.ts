import { beforeAll, describe, expect, inject, it } from 'vitest';
import { openTemporal, type Temporal } from '../../src/temporal/connection.ts';
import { createSubjectClient, startOptions } from '../../src/temporal/subject-client.ts';
import { orderOf } from '../support/make.ts';
import { createFolder, startTemporalServer } from '../support/temporal-server.ts';

/** Number of signals that a run takes, which is 10,000 where nobody sets it. */
const MOST_SIGNALS = 5;

const subject = orderOf('1');

it('a run is named in words, whatever the key of its kind', () => {
  const of = { ...subject, kind: 'purchaseOrder' as 'order' };
  const { staticSummary } = startOptions(of, { taskQueue: 'nobody', settingsOf: () => ({}) as never });
  expect(staticSummary).toBe('purchase order 1 of warehouse 9104');
});

describe('a run that is full of signals', () => {
  let temporal: Temporal;

  beforeAll(async () => {
    const folder = await createFolder();
    const server = await startTemporalServer({
      binary: inject('temporalBinary'),
      folder: folder.path,
      dynamicConfig: { 'history.maximumSignalsPerExecution': MOST_SIGNALS },
    });
    temporal = openTemporal({ address: server.address, namespace: 'default' });
    return async () => {
      await temporal.close();
      await server.stop();
      await folder.remove();
    };
  });

  it('is replaced, so that the next event waits in another; each brings its settings', async () => {
    const settings = { gracePeriodMs: 7 } as never;
    const { wake } = createSubjectClient({ client: temporal.client, taskQueue: 'nobody', settingsOf: () => settings });
    await wake(subject, { names: ['OrderCreate'] });
    const handle = temporal.client.workflow.getHandle('order:9104:1');
    const { runId } = await handle.describe();
    const { events } = await handle.fetchHistory();
    const signal = events?.find((event) => event.workflowExecutionSignaledEventAttributes);
    const args = signal?.workflowExecutionSignaledEventAttributes?.input?.payloads;
    expect(args?.map(({ data }) => JSON.parse(Buffer.from(data ?? []).toString()))).toEqual([
      ['OrderCreate'],
      settings,
    ]);
    for (let sent = 1; sent < MOST_SIGNALS; sent += 1) await handle.signal('events', [], settings);
    await expect(handle.signal('events', [], settings)).rejects.toThrow();

    await wake(subject, { names: ['OrderConfirm'] });
    const after = await handle.describe();
    expect(after.status.name).toBe('RUNNING');
    expect(after.runId).not.toBe(runId);
    const before = await temporal.client.workflow.getHandle('order:9104:1', runId).describe();
    expect(before.status.name).toBe('TERMINATED');
  });
});
